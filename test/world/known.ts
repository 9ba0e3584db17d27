import type { Violation } from "./judge/judge.ts";

/** What is known to break and not mended yet: each entry goes when its mending comes. */
export const KNOWN: readonly { invariant: Violation["invariant"]; cause: RegExp; reason: string }[] = [
  {
    invariant: "every accept satisfies the filters in force",
    cause: /^currency$/,
    reason: "an offer in another currency is tried against filters in dollars",
  },
  {
    invariant: "what is given back stays so",
    cause: /./,
    reason: "a block that was given back by hand is taken again when it is offered anew",
  },
  {
    invariant: "every effect reaches history, page, D1 and phone",
    cause: /./,
    reason:
      "an accept that was refused after its effect counts as lost; one in flight at unlinking is dropped",
  },
  {
    invariant: "no two overlapping blocks",
    cause: /^taken by hand$/,
    reason: "a block taken by hand is noticed within five minutes",
  },
  {
    invariant: "none after off, unlink or the end of service",
    cause: /./,
    reason: "unlinking asks the platform before it stops; a new link may accept what the old one was shown",
  },
  {
    invariant: "a healthy platform is polled",
    cause: /./,
    reason: "an unknown status of a held block, or two 401 in a row, end the polling",
  },
  {
    invariant: "quota kept",
    cause: /./,
    reason: "the kind of the quota's window is not learnt, and Retry-After of a 503 is not read",
  },
  {
    invariant: "every attempt settles",
    cause: /./,
    reason: "an attempt in doubt is not settled once the driver is off",
  },
];

export function isKnown({ invariant, cause }: Violation): boolean {
  return KNOWN.some((known) => known.invariant === invariant && known.cause.test(cause));
}
