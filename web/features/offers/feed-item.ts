import type { LiveEvent } from "../../../worker/contract/live.ts";
import type { Attempt, Block, LostReason, Offer, Reason } from "../../../durable/engine/types.ts";

/** What became of an offer. */
export type Fate =
  | { kind: "passed"; reasons: readonly Reason[] }
  | { kind: "match" }
  | { kind: "trying" }
  | { kind: "unknown" }
  | { kind: "won"; block: Block }
  | { kind: "lost"; reason: LostReason };

/** What a list tells of an offer or a block. */
export type OfferFacts = Pick<
  Offer,
  "offerId" | "warehouseId" | "startsAt" | "endsAt" | "payCents" | "currency" | "surge"
>;

/** One line of a list of offers. `at` is when its fate was known. */
export type FeedItem = { seq: number; at: number; offer: OfferFacts; fate: Fate };

/** What a line of the driver's log shows; null where it is about no offer. */
export function toFeedItem({ seq, event }: LiveEvent): FeedItem | null {
  switch (event.kind) {
    case "offer_judged": {
      const { at, offer, reasons } = event;
      return { seq, at, offer, fate: reasons.length > 0 ? { kind: "passed", reasons } : { kind: "match" } };
    }
    case "attempt_started":
      return { seq, at: event.at, offer: event.attempt.offer, fate: { kind: "trying" } };
    case "attempt_settled": {
      const { offer, outcome } = event.attempt;
      const payCents = outcome.status === "won" ? outcome.block.payCents : offer.payCents;
      return { seq, at: event.at, offer: { ...offer, payCents }, fate: fateOf(outcome) };
    }
    case "phase_changed":
    case "silence_suspected":
    case "service_ending":
      return null;
  }
}

/** A block that is held, as a line. */
export function heldItem(block: Block): FeedItem {
  return { seq: 0, at: block.acceptedAt, offer: { ...block, surge: false }, fate: { kind: "won", block } };
}

function fateOf(outcome: Attempt["outcome"]): Fate {
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
