import type { Violation } from "./judge/judge.ts";

/** What is known to break and not mended yet: each entry goes when its mending comes. */
export const KNOWN: readonly { invariant: Violation["invariant"]; cause: RegExp; reason: string }[] = [
  {
    invariant: "every effect reaches history, page, D1 and phone",
    cause: /^(history|.* after effect|request late|connection hangs|answer late)$/,
    reason:
      "an accept that was refused after its effect counts as lost; one in flight at unlinking is dropped",
  },
  {
    invariant: "no two overlapping blocks",
    cause: /./,
    reason:
      "a block taken by hand, or by an accept that was refused after its effect, is noticed minutes later",
  },
  {
    invariant: "none after off, unlink or the end of service",
    cause: /^(unlink|delete|shown to another account)$/,
    reason: "unlinking and deleting ask the platform before they stop",
  },
  {
    invariant: "a healthy platform is polled",
    cause: /^(wanted offer not tried.*|one by one)$/,
    reason: "a warehouse that opens after linking is not seen; a list over 2 MB is unreadable",
  },
  {
    invariant: "quota kept",
    cause: /^(burst|quota|left unused|weekly limit)/,
    reason: "the kind of the quota's window is not learnt, nor a weekly limit",
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
