import type { Snapshot } from "../../../db/shapes/work/live.ts";
import { eventToFeedItem, type FeedItem } from "../../features/offers/feed-item.ts";
import { offerPlace } from "../../features/offers/offer-place.ts";
import { outcomeMessage } from "../../features/offers/outcome-mark.tsx";
import { reasonMessage } from "../../features/offers/reason-messages.ts";
import { toAmount, toInstant, type CsvColumn } from "../../ui/csv.ts";
import { m } from "../messages/messages.js";

/** Today's captures and the latest skipped offers, each offer once, as far back as the dashboard goes. */
export function liveOffers({ won, feed }: Snapshot): FeedItem[] {
  return [...won, ...feed]
    .map(eventToFeedItem)
    .filter((item) => item !== null)
    .filter(({ offer }, index, all) => all.findIndex((one) => one.offer.offerId === offer.offerId) === index);
}

/** The columns of a dashboard's offers as a file. */
export function liveCsv({ warehouses }: Pick<Snapshot, "warehouses">): CsvColumn<FeedItem>[] {
  return [
    { title: `${m.when()} (UTC)`, value: ({ at }) => toInstant(at) },
    { title: m.warehouse(), value: ({ offer }) => offerPlace(offer, warehouses).name },
    { title: `${m.offer()} (UTC)`, value: ({ offer }) => toInstant(offer.startsAt) },
    { title: m.pay(), value: ({ offer }) => toAmount(offer.payCents) },
    { title: m.currency(), value: ({ offer }) => offer.currency },
    { title: m.outcome(), value: (item) => outcomeLines(item).join("; ") },
  ];
}

/** Every reason why an offer was passed over, or what became of it. */
export function outcomeLines({ outcome }: FeedItem): string[] {
  return outcome.kind === "rejected" ? outcome.reasons.map(reasonMessage) : [outcomeMessage(outcome)];
}
