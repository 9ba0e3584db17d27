type LogValue =
  | string
  | number
  | boolean
  | null
  | readonly LogValue[]
  | { readonly [name: string]: LogValue };

/** Fields of a log line. Never a token, body, password, code, full phone number or a provider's text. */
export type LogFacts = Record<string, LogValue>;

/** Writes one line of JSON: a dotted, stable event name and its fields. */
export type Log = (level: "info" | "warn" | "error", event: string, facts?: LogFacts) => void;

export const log: Log = (level, event, facts = {}) => {
  console[level](JSON.stringify({ event, ...facts }));
};
