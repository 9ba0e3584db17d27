import type { Violation } from "./judge/judge.ts";

/** What is known to break and not mended yet: each entry goes when its mending comes. */
export const KNOWN: readonly { invariant: Violation["invariant"]; cause: RegExp; reason: string }[] = [
  {
    invariant: "a healthy platform is polled",
    cause: /^wanted offer not tried \(new warehouse\)$/,
    reason: "a warehouse that opens is seen when the driver looks at their filters, else within a day",
  },
  {
    invariant: "quota kept",
    cause: /^(burst|quota|left unused)/,
    reason: "the length and kind of an unusual window are learnt only when some have ended",
  },
];

export function isKnown({ invariant, cause }: Violation): boolean {
  return KNOWN.some((known) => known.invariant === invariant && known.cause.test(cause));
}
