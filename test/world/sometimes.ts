import { FAULTS } from "./script.ts";

/** After so many weeks everything must have been met, and the rarer after more. */
const ENOUGH_WEEKS = 2_000;
const MANY_WEEKS = 5_000;

const OFTEN = [
  ...FAULTS.filter((fault) => fault !== "429 asks ten years").map((fault) => `${fault} (accept)`),
  "crash: written (accept)",
  "crash: durable (accept)",
  "crash: sent (accept)",
  "crash: arrived (accept)",
  "crash: answered (accept)",
  "crash: now",
  "old instance lives on",
  "old instance was fenced",
  "hibernated",
  "late alarm",
  "answers out of order",
  "daylight change",
  "quota: none",
  "quota: fixed",
  "quota: sliding",
  "linked",
  "question: yes",
  "question: no",
  "question: in two tabs",
  "question: changes their mind",
  "question: late",
  "question: never",
  "block given back by hand",
  "item: relist",
  "item: reprice",
  "item: withdraw",
  "item: take by hand",
  "item: switch",
  "item: filters",
  "item: mode",
  "item: service",
  "item: unlink",
  "item: link",
  "item: delete account",
  "item: selfie",
  "item: shrink quota",
  "item: own app",
  "item: clock jump",
  "item: duplicate alarm",
  "item: d1 down",
  "item: open warehouse",
  "item: long list",
  "item: slow",
  "item: token dies",
];

const RARELY = [
  ...FAULTS.map((fault) => `${fault} (poll)`),
  "crash: written (poll)",
  "crash: durable (poll)",
  "crash: sent (poll)",
  "crash: arrived (poll)",
  "crash: answered (poll)",
  "crash: sent (blocks)",
  "crash: answered (blocks)",
  "crash: sent (d1)",
  "crash: answered (d1)",
  "crash: answered (token)",
  "crash: sent (sms)",
  "crash: written (blocks)",
];

/**
 * Situations that should have occurred in so many weeks, and didn't: an invariant proves nothing about a case that never
 * happened.
 */
export function missing(met: ReadonlyMap<string, number>, weeks: number): string[] {
  const wanted = [...(weeks >= ENOUGH_WEEKS ? OFTEN : []), ...(weeks >= MANY_WEEKS ? RARELY : [])];
  return wanted.filter((what) => !met.has(what));
}
