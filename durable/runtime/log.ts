/** Facts of a line. No token, body, password, code, full phone number or provider's text. */
type LogFields = Record<string, string | number | boolean | null>;

/** Writes one line of JSON: a dotted, stable event name and its facts. */
export type Log = (level: "info" | "warn" | "error", event: string, facts?: LogFields) => void;

export const log: Log = (level, event, facts = {}) => {
  console[level](JSON.stringify({ event, ...facts }));
};

/** The name of what was thrown: a class, never a message, which may quote what must not be logged. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
