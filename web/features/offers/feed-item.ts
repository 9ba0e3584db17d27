import {
  offerOutcomeOf,
  shownPay,
  type LogEntry,
  type OfferOutcome,
} from "../../../db/shapes/log/driver-log.ts";
import type { Snapshot } from "../../../db/shapes/work/live.ts";
import { hourlyPay, type Cents, type EpochMs } from "../../../db/shapes/units.ts";
import type { Block, Offer } from "../../../db/shapes/work/offer.ts";
import type { BlockItem } from "../../../worker/contract/work/blocks.ts";

/** The fields of an offer or a block that lists show. */
export type OfferFacts = Pick<
  Offer,
  "offerId" | "warehouseId" | "startsAt" | "endsAt" | "payCents" | "currency" | "surge"
>;

/** A row in a list of offers. `at` is when its outcome was known. */
export type FeedItem = { seq: number; at: number; offer: OfferFacts; outcome: OfferOutcome };

/** A log entry as a row; null where it isn't about an offer. */
export function eventToFeedItem({ seq, event }: LogEntry): FeedItem | null {
  const found = offerOutcomeOf(event);
  if (!found) return null;
  const { offer, outcome } = found;
  return { seq, at: event.at, offer: { ...offer, payCents: shownPay(found) }, outcome };
}

/** A held block as a row. */
export function heldBlockToFeedItem(block: Block): FeedItem {
  return { seq: 0, at: block.acceptedAt, offer: { ...block, surge: false }, outcome: { kind: "won", block } };
}

/**
 * Held blocks as rows, with the one whose sheet is open also where it is no longer held: ahead of its start, and while an
 * account is linked, the driver gave it back.
 */
export function heldBlockItems(
  { held, isLinked }: Pick<Snapshot, "held" | "isLinked">,
  opened: FeedItem | undefined,
  now: EpochMs,
): FeedItem[] {
  const items = held.map(heldBlockToFeedItem);
  if (opened?.outcome.kind !== "won" || !isLinked) return items;
  const { block } = opened.outcome;
  const isSame = ({ blockId, offerId }: Block) => blockId === block.blockId || offerId === block.offerId;
  if (block.startsAt <= now || held.some(isSame)) return items;
  return [...items, heldBlockToFeedItem({ ...block, status: "forfeited" })];
}

/** A row of a block list in the shape of the dashboard's feed. */
export function blockToFeedItem(item: BlockItem): FeedItem {
  const { seq, at } = item;
  switch (item.type) {
    case "won":
      return { seq, at, offer: { ...item.block, surge: false }, outcome: { kind: "won", block: item.block } };
    case "disliked":
      return {
        seq,
        at,
        offer: item.offer,
        outcome: { kind: "rejected", reasons: item.reasons, rule: item.rule },
      };
    case "lost":
      return { seq, at, offer: item.offer, outcome: { kind: "lost", reason: item.reason } };
  }
}

/**
 * The hourly pay of an offer, as it is shown: rounded, but never up to the minimum that it failed. $19.998 stands beside
 * a minimum of $20 as $19.99.
 */
export function shownHourlyPay({ offer, outcome }: Pick<FeedItem, "offer" | "outcome">): Cents {
  const reasons = outcome.kind === "rejected" ? outcome.reasons : [];
  const missed = reasons.find((reason) => reason.code === "rate_below_minimum")?.rule ?? Infinity;
  return Math.min(hourlyPay(offer), missed - 1);
}
