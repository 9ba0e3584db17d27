import { hourlyPay, type Cents } from "../../../db/shapes/units.ts";
import type { FeedItem } from "./feed-item.ts";

/**
 * The hourly pay of an offer, as it is shown: rounded, but never up to the minimum that it failed. $19.998 stands beside
 * a minimum of $20 as $19.99.
 */
export function shownHourlyPay({ offer, outcome }: Pick<FeedItem, "offer" | "outcome">): Cents {
  const reasons = outcome.kind === "rejected" ? outcome.reasons : [];
  const missed = reasons.find((reason) => reason.code === "rate_below_minimum")?.rule ?? Infinity;
  return Math.min(hourlyPay(offer), missed - 1);
}
