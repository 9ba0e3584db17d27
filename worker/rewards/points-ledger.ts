import type { PointEntryRow, RedemptionRow } from "../../db/queries/rewards/rewards.ts";
import { reward, type PointEntry, type PointEntryKind } from "../../db/shapes/money/rewards.ts";

const REDEEMED = "reward:";
const PAYMENT = /^payment:[^:]+:(.+)$/;

/** The ledger's entries for the driver to read. Entries that changed nothing are left out. */
export function describePointEntries(
  entries: readonly PointEntryRow[],
  redemptions: readonly RedemptionRow[],
): PointEntry[] {
  const rewards = new Map(redemptions.map((redemption) => [REDEEMED + redemption.id, redemption.reward]));
  return entries
    .filter(({ points }) => points !== 0)
    .map(({ source, points, at }) => ({
      kind: pointEntryKindOf(source),
      // A reward of another version has no words here.
      reward: reward.safeParse(rewards.get(source)).data ?? null,
      points,
      at,
    }));
}

/** The kind of an entry, by its source. */
export function pointEntryKindOf(source: string): PointEntryKind {
  if (source.startsWith(REDEEMED)) return "redeemed";
  const what = PAYMENT.exec(source)?.[1];
  if (what === undefined) return "other";
  switch (what) {
    case "earned":
    case "reserved":
    case "released":
      return what;
    // Points that were released were spent after all.
    case "retaken":
      return "reserved";
    default:
      return what.endsWith(":undone") ? "refund_undone" : "refunded";
  }
}
