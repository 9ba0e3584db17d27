import { hourlyPay, type Cents } from "../../../db/shapes/units.ts";
import type { FeedItem } from "./feed-item.ts";

/** What an offer pays an hour, as it is shown: where that is why it was passed over, the figure that the reason has. */
export function shownHourlyPay({ offer, outcome }: Pick<FeedItem, "offer" | "outcome">): Cents {
  const reasons = outcome.kind === "rejected" ? outcome.reasons : [];
  const tooLow = reasons.find((reason) => reason.code === "rate_below_minimum");
  return tooLow?.offer ?? hourlyPay(offer);
}
