import type { Violation } from "./judge/judge.ts";

/** What is known to break and not mended yet: each entry goes when its mending comes. */
export const KNOWN: readonly { invariant: Violation["invariant"]; cause: RegExp; reason: string }[] = [
  {
    invariant: "no two overlapping blocks",
    cause: /^taken by hand$/,
    reason: "a block taken by hand is noticed within five minutes",
  },
  {
    invariant: "a healthy platform is polled",
    cause: /^wanted offer not tried \(new warehouse\)$/,
    reason: "a warehouse that opens after linking is not seen",
  },
  {
    invariant: "quota kept",
    cause: /^(burst|quota|left unused)/,
    reason: "the length of an unusual window is learnt only when one has ended",
  },
  {
    invariant: "quota kept",
    cause: /^weekly limit not learnt$/,
    reason: "a weekly limit is not learnt from its refusal",
  },
];

export function isKnown({ invariant, cause }: Violation): boolean {
  return KNOWN.some((known) => known.invariant === invariant && known.cause.test(cause));
}
