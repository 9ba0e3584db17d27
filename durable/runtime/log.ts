/** Fields of a log line. Never a token, body, password, code, full phone number or a provider's text. */
type LogFields = Record<string, string | number | boolean | null>;

/** Writes one line of JSON: a dotted, stable event name and its fields. */
export type Log = (level: "info" | "warn" | "error", event: string, facts?: LogFields) => void;

export const log: Log = (level, event, facts = {}) => {
  console[level](JSON.stringify({ event, ...facts }));
};

/** The class of a thrown error. Its message is not logged, because it may quote secrets or personal data. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
