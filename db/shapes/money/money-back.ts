import * as z from "zod/mini";
import { cents, epochMs } from "../units.ts";

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

/** The sentence about a refund or a dispute, on every channel: it says no more than the ledger has. */
export function moneyMessage({
  kind,
  state,
  takenMs,
  returnedMs,
}: Pick<MoneyBack, "kind" | "state" | "takenMs" | "returnedMs">): MoneyMessage {
  if (state === "open") return { key: "news_dispute_opened", lengthMs: null };
  const name = kind === "refund" ? "refunded" : "disputed";
  if (state === "void") {
    const undone = kind === "refund" ? "refund_failed" : "dispute_won";
    return returnedMs > 0
      ? { key: `news_${undone}`, lengthMs: returnedMs }
      : { key: `news_${undone}_days_unchanged`, lengthMs: null };
  }
  const keptMs = takenMs - returnedMs;
  if (keptMs > 0) return { key: `news_${name}`, lengthMs: keptMs };
  return { key: `news_${name}_days_unchanged`, lengthMs: null };
}

/** How many points a refund or a dispute changes in the end: negative where they are taken. */
export function netPoints({ points, undonePoints }: Pick<MoneyBack, "points" | "undonePoints">): number {
  return points + undonePoints;
}
