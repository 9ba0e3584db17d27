import { textStatus, type TextProblem, type TextStatus } from "../../db/shapes/text-delivery.ts";

/**
 * The gateway's error codes about a number, in answers and in reports: https://www.twilio.com/docs/api/errors. Those about
 * the sender or the account (a country that is switched off, a route that there isn't) are not among them.
 */
const PROBLEMS: ReadonlyMap<number, TextProblem> = new Map([
  [21211, "unknown_number"],
  [21214, "unknown_number"],
  [21217, "unknown_number"],
  [21265, "unknown_number"],
  [21614, "landline"],
  [30003, "unreachable"],
  [30004, "blocked"],
  [30005, "unknown_number"],
  [30006, "landline"],
  [30007, "filtered"],
]);

/** The number's owner replied STOP, which the gateway knows by itself. */
export const STOPPED_CODE = 21610;

/** The meaning of an error code; `other` if it tells nothing about the number. */
export function problemOf(code: number | null): TextProblem {
  return (code === null ? undefined : PROBLEMS.get(code)) ?? "other";
}

/** A status in the gateway's words; a word that we don't know is `other`. */
export function parseTextStatus(word: string): TextStatus {
  return textStatus.safeParse(word).data ?? "other";
}
