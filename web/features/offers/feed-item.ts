import type { LogEntry } from "../../../db/shapes/work/driver-log.ts";
import type { Attempt, LostReason } from "../../../db/shapes/work/attempt.ts";
import type { Block, Offer } from "../../../db/shapes/work/offer.ts";
import type { Reason } from "../../../db/shapes/work/verdict.ts";
import type { BlockItem } from "../../../worker/contract/work/blocks.ts";

/** The outcome of an offer. */
export type OfferOutcome =
  | { kind: "rejected"; reasons: readonly Reason[] }
  | { kind: "match" }
  | { kind: "trying" }
  | { kind: "unknown" }
  | { kind: "won"; block: Block }
  | { kind: "lost"; reason: LostReason };

/** The fields of an offer or a block that lists show. */
export type OfferFacts = Pick<
  Offer,
  "offerId" | "warehouseId" | "startsAt" | "endsAt" | "payCents" | "currency" | "surge"
>;

/** A row in a list of offers. `at` is when its outcome was known. */
export type FeedItem = { seq: number; at: number; offer: OfferFacts; outcome: OfferOutcome };

/** A log entry as a row; null where it isn't about an offer. */
export function eventToFeedItem({ seq, event }: LogEntry): FeedItem | null {
  switch (event.kind) {
    case "offer_judged": {
      const { at, offer, reasons } = event;
      return {
        seq,
        at,
        offer,
        outcome: reasons.length > 0 ? { kind: "rejected", reasons } : { kind: "match" },
      };
    }
    case "attempt_started":
      return { seq, at: event.at, offer: event.attempt.offer, outcome: { kind: "trying" } };
    case "attempt_settled": {
      const { offer, outcome } = event.attempt;
      const payCents = outcome.status === "won" ? outcome.block.payCents : offer.payCents;
      return { seq, at: event.at, offer: { ...offer, payCents }, outcome: toOutcome(outcome) };
    }
    case "phase_changed":
    case "silence_suspected":
    case "service_ending":
    case "other":
      return null;
  }
}

/** A held block as a row. */
export function heldBlockToFeedItem(block: Block): FeedItem {
  return { seq: 0, at: block.acceptedAt, offer: { ...block, surge: false }, outcome: { kind: "won", block } };
}

/** A row of a block list in the shape of the dashboard's feed. */
export function blockToFeedItem(item: BlockItem): FeedItem {
  const { seq, at } = item;
  switch (item.type) {
    case "won":
      return { seq, at, offer: { ...item.block, surge: false }, outcome: { kind: "won", block: item.block } };
    case "disliked":
      return { seq, at, offer: item.offer, outcome: { kind: "rejected", reasons: item.reasons } };
    case "lost":
      return { seq, at, offer: item.offer, outcome: { kind: "lost", reason: item.reason } };
  }
}

function toOutcome(outcome: Attempt["outcome"]): OfferOutcome {
  switch (outcome.status) {
    case "won":
      return { kind: "won", block: outcome.block };
    case "lost":
      return { kind: "lost", reason: outcome.reason };
    case "pending":
      return { kind: "trying" };
    case "unknown":
      return { kind: "unknown" };
  }
}
