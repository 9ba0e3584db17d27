export const INVARIANTS = [
  "at most one effect per offer",
  "no two overlapping blocks",
  "every accept satisfies the filters in force",
  "none after off, unlink or the end of service",
  "every effect reaches history, page, D1 and phone",
  "what is given back stays so",
  "a question has one effect at most, and none once it is over",
  "never above a limit",
  "switched on means an alarm",
  "every attempt settles",
  "quota kept",
  "no storm of texts",
  "a healthy platform is polled",
  "a replay takes what was taken",
  "no more comes back than was lost",
  "nothing runs in circles or breaks",
] as const;
export type Invariant = (typeof INVARIANTS)[number];

/** The broken rule, its time, and its evidence. `fault` names the cause more narrowly, where it is known. */
export type Violation = { invariant: Invariant; cause: string; at: number; says: string };
