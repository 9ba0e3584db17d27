import type { LogEntry } from "../../../db/shapes/log/driver-log.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { eventToFeedItem, type FeedItem } from "../offers/feed-item.ts";

/** A match that nobody tried to capture by then (the mode chose another) is one offer among the others. */
const UNTRIED_MS = 30_000;

type FeedRow = FeedItem & { firstAt: EpochMs };

/**
 * The rows of the feed, newest first: today's captures together with what is being captured, and all other offers. An
 * offer that is tried stands where its capture will, so that a capture brings one row and moves no other afterwards.
 */
export function feedRows(
  { feed, won }: { feed: readonly LogEntry[]; won: readonly LogEntry[] },
  now: EpochMs,
): { pinned: FeedItem[]; others: FeedItem[] } {
  const captured = toRows(won);
  const capturedIds = new Set(captured.map(({ offer }) => offer.offerId));
  const rows = toRows(feed).filter(({ offer }) => !capturedIds.has(offer.offerId));
  const isUnderWay = ({ outcome, at }: FeedRow) =>
    outcome.kind === "trying" ||
    (outcome.kind === "asked" && now < outcome.until) ||
    (outcome.kind === "match" && now - at < UNTRIED_MS);
  return {
    pinned: [...rows.filter(isUnderWay), ...captured].toSorted(newestFirst),
    others: rows.filter((row) => !isUnderWay(row)),
  };
}

/** Those of one instant in an order that no outcome changes. */
function newestFirst(one: FeedRow, other: FeedRow): number {
  return other.firstAt - one.firstAt || (one.offer.offerId < other.offer.offerId ? -1 : 1);
}

function toRows(entries: readonly LogEntry[]): FeedRow[] {
  return entries.flatMap((entry) => {
    const item = eventToFeedItem(entry);
    return item ? [{ ...item, firstAt: firstAtOf(entry) }] : [];
  });
}

/** When an offer came to be tried, which its capture doesn't change. */
function firstAtOf({ event }: LogEntry): EpochMs {
  return event.kind === "attempt_settled" ? event.attempt.createdAt : event.at;
}
