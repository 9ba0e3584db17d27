import type { Block } from "../../../durable/engine/types.ts";
import { m } from "../../messages/messages.js";
import type { Fate } from "./feed-item.ts";
import { LOST_WORDS, sayReasons } from "./reason-words.ts";

/** What became of an offer, in a few words. */
export function sayFate(fate: Fate): string {
  switch (fate.kind) {
    case "passed":
      return sayReasons(fate.reasons);
    case "match":
      return m.feed_match();
    case "trying":
      return m.feed_trying();
    case "unknown":
      return m.feed_unknown();
    case "won":
      return sayWon(fate.block);
    case "lost":
      return LOST_WORDS[fate.reason]();
  }
}

function sayWon({ status }: Pick<Block, "status">): string {
  if (status === "forfeited") return m.block_given_back();
  return status === "checked_in" ? m.block_checked_in() : m.feed_captured();
}
