import * as z from "zod/mini";
import { cents, epochMs, type Cents } from "../units.ts";

/**
 * A refund or a dispute of a payment, with what the ledgers say of it. `open`: a dispute that is not decided. `back`: the
 * money is the driver's again. `void`: it stayed, since the refund failed or the dispute was not lost. Service in
 * milliseconds, points as a count; points are taken where they were earned, and given back where they were spent.
 */
export const moneyBack = z.object({
  id: z.string(),
  kind: z.enum(["refund", "dispute"]),
  state: z.enum(["open", "back", "void"]),
  cents,
  at: epochMs,
  takenMs: z.int(),
  returnedMs: z.int(),
  /** Its change of the points, and the part of that which was undone. Negative where points were taken. */
  points: z.int(),
  undonePoints: z.int(),
});
export type MoneyBack = z.infer<typeof moneyBack>;

/** A message about money that went back, and the service time that it names; null where it names none. */
export type MoneyMessage = { key: MoneyMessageKey; lengthMs: number | null };

export type MoneyMessageKey =
  | "news_refunded"
  | "news_refunded_days_unchanged"
  | "news_refund_failed"
  | "news_refund_failed_days_unchanged"
  | "news_days_kept"
  | "news_disputed"
  | "news_disputed_days_unchanged"
  | "news_dispute_opened"
  | "news_dispute_won"
  | "news_dispute_won_days_unchanged";

/** The outcome of a refund or a dispute: each label and each sentence about it, on every channel, begins with this. */
export type MoneyOutcome = ReturnedOutcome | "refund_failed" | "dispute_opened" | "dispute_won";
/** Of those, the ones whose money is with its owner again. */
export type ReturnedOutcome = "refunded" | "disputed";

export function moneyOutcome({ kind, state }: Pick<MoneyBack, "kind" | "state">): MoneyOutcome {
  switch (state) {
    case "open":
      return "dispute_opened";
    case "back":
      return returnedOutcome(kind);
    case "void":
      return kind === "refund" ? "refund_failed" : "dispute_won";
  }
}

function returnedOutcome(kind: MoneyBack["kind"]): ReturnedOutcome {
  return kind === "refund" ? "refunded" : "disputed";
}

/** The sentence about a refund or a dispute, on page, receipt, text and console: it says no more than the ledger has. */
export function moneyMessage({
  takenMs,
  returnedMs,
  ...fact
}: Pick<MoneyBack, "kind" | "state" | "takenMs" | "returnedMs">): MoneyMessage {
  const outcome = moneyOutcome(fact);
  if (outcome === "dispute_opened") return { key: "news_dispute_opened", lengthMs: null };
  const isUndone = fact.state === "void";
  const lengthMs = isUndone ? returnedMs : takenMs - returnedMs;
  return lengthMs > 0
    ? { key: `news_${outcome}`, lengthMs }
    : { key: `news_${outcome}_days_unchanged`, lengthMs: null };
}

/** The money of a payment that its owner has again, oldest first, as a receipt lists it. */
export function moneyReturned<Fact extends Pick<MoneyBack, "kind" | "state" | "cents">>(
  facts: readonly Fact[],
): { lines: (Fact & { outcome: ReturnedOutcome })[]; cents: Cents } {
  const lines = facts
    .filter(({ state }) => state === "back")
    .map((fact) => ({ ...fact, outcome: returnedOutcome(fact.kind) }));
  return { lines, cents: lines.reduce((total, { cents: back }) => total + back, 0) };
}

/** How many points a refund or a dispute changes in the end: negative where they are taken. */
export function netPoints({ points, undonePoints }: Pick<MoneyBack, "points" | "undonePoints">): number {
  return points + undonePoints;
}

/**
 * Where a dispute is, in Stripe's words. `warning_…`: the bank only inquires. One that we don't know reads as `other`, or as
 * `under_review` while the money is withdrawn and not lost.
 */
export const disputeStatus = z.enum([
  "warning_needs_response",
  "warning_under_review",
  "warning_closed",
  "needs_response",
  "under_review",
  "won",
  "lost",
  "prevented",
  "other",
]);
export type DisputeStatus = z.infer<typeof disputeStatus>;

/** Those in which the bank waits for evidence, or decides about it. */
export const OPEN_DISPUTE_STATUSES = [
  "warning_needs_response",
  "needs_response",
  "warning_under_review",
  "under_review",
] as const satisfies readonly DisputeStatus[];
