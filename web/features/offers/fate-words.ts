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
      return m.feed_captured();
    case "lost":
      return LOST_WORDS[fate.reason]();
  }
}
