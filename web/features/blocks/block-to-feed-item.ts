import type { BlockItem } from "../../../worker/contract/blocks.ts";
import type { FeedItem } from "../offers/feed-item.ts";

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
