import type { Block } from "../../../db/shapes/work/offer.ts";
import { m } from "../../messages/messages.js";
import type { OfferOutcome } from "./feed-item.ts";
import { LOST_MESSAGES, reasonSummary } from "./reason-messages.ts";

/** The outcome of an offer in a few words. */
export function outcomeMessage(outcome: OfferOutcome): string {
  switch (outcome.kind) {
    case "rejected":
      return reasonSummary(outcome.reasons);
    case "match":
      return m.feed_match();
    case "trying":
      return m.feed_trying();
    case "unknown":
      return m.feed_unknown();
    case "won":
      return wonMessage(outcome.block);
    case "lost":
      return LOST_MESSAGES[outcome.reason]();
  }
}

function wonMessage({ status }: Pick<Block, "status">): string {
  if (status === "forfeited") return m.block_given_back();
  return status === "checked_in" ? m.block_checked_in() : m.feed_captured();
}
