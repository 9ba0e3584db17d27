import { textStatus, type TextProblem, type TextStatus } from "../../db/shapes/text-delivery.ts";

/** The gateway's error codes, in answers and in reports: https://www.twilio.com/docs/api/errors */
const PROBLEMS: ReadonlyMap<number, TextProblem> = new Map([
  [21211, "unknown_number"],
  [21214, "unknown_number"],
  [21217, "unknown_number"],
  [21265, "unknown_number"],
  [21408, "blocked"],
  [21612, "blocked"],
  [21614, "landline"],
  [30003, "unreachable"],
  [30004, "blocked"],
  [30005, "unknown_number"],
  [30006, "landline"],
  [30007, "filtered"],
]);

/** The number's owner replied STOP, which the gateway knows by itself. */
export const STOPPED_CODE = 21610;

/** Problems that another try doesn't help. */
const PERMANENT: ReadonlySet<TextProblem> = new Set(["landline", "unknown_number", "blocked"]);

/** After so many failures in a row no text is tried: permanent ones, and ones of any kind. */
export const PAUSE_AFTER = { permanent: 3, any: 10 } as const;

const FINAL: ReadonlySet<TextStatus> = new Set(["delivered", "undelivered", "failed", "canceled", "read"]);
/** Statuses that nothing changes any more. */
export const FINAL_STATUSES: readonly TextStatus[] = [...FINAL];

/** What an error code says of the number. Codes about the sender or the request say nothing of it. */
export function problemOf(code: number | null): TextProblem {
  return (code === null ? undefined : PROBLEMS.get(code)) ?? "other";
}

/** Whether the gateway refuses a number by this code, rather than what was asked of it. */
export function isAboutNumber(code: number | null): boolean {
  return code !== null && PROBLEMS.has(code);
}

/** Whether another try doesn't help. */
export function isPermanent(problem: TextProblem): boolean {
  return PERMANENT.has(problem);
}

/** A status in the gateway's words; a word that we don't know is `other`. */
export function parseTextStatus(word: string): TextStatus {
  return textStatus.safeParse(word).data ?? "other";
}

/** What a report means for the number: `arrived`, `failed`, or nothing yet. A canceled text says nothing of it. */
export function outcomeOf(status: TextStatus): "arrived" | "failed" | null {
  if (status === "delivered" || status === "read") return "arrived";
  return status === "undelivered" || status === "failed" ? "failed" : null;
}
