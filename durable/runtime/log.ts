type LogValue =
  | string
  | number
  | boolean
  | null
  | readonly LogValue[]
  | { readonly [name: string]: LogValue };

/** Facts of a line. No token, body, password, code, full phone number or provider's text. */
export type LogFacts = Record<string, LogValue>;

/** Writes one line of JSON: a dotted, stable event name and its facts. */
export type Log = (level: "info" | "warn" | "error", event: string, facts?: LogFacts) => void;

export const log: Log = (level, event, facts = {}) => {
  console[level](JSON.stringify({ event, ...facts }));
};
