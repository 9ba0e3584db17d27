import { Radar } from "lucide-react";
import { useState } from "react";
import type { LiveEvent } from "../../../worker/contract/live.ts";
import type { Warehouse } from "../../../durable/engine/types.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { openSheet } from "../frame/frame-store.ts";
import { toFeedItem } from "../offers/feed-item.ts";
import { OfferLine } from "../offers/offer-line.tsx";
import { OfferSheet, type Opened } from "../offers/offer-sheet.tsx";
import { placeOf } from "../offers/place-of.ts";

/** Offers as they are judged, newest first. */
export function Feed({
  entries,
  warehouses,
}: {
  entries: readonly LiveEvent[];
  warehouses: readonly Warehouse[];
}) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const items = entries.map(toFeedItem).filter((item) => item !== null);
  return (
    <section className="card min-w-0 overflow-hidden" data-testid="feed">
      <div className="flex flex-wrap items-center justify-between gap-x-4 pt-3 pr-1 pb-1 pl-5">
        <h2 className="text-lg">{m.feed_title()}</h2>
        <Button look="quiet" className="text-sm" onClick={() => openSheet("filters")}>
          {m.filters_short_open()}
        </Button>
      </div>
      {items.length === 0 ? (
        <Notice Icon={Radar} title={m.feed_empty()}>
          {m.feed_empty_text()}
        </Notice>
      ) : (
        <ul className="divide-y divide-line">
          {items.map((item) => {
            const place = placeOf(item.offer, warehouses);
            return (
              <li key={item.offer.offerId} className="animate-[drop_160ms_ease-out]">
                <OfferLine item={item} place={place} onOpen={() => setOpened({ item, place })} />
              </li>
            );
          })}
        </ul>
      )}
      <OfferSheet opened={opened} onClose={() => setOpened(null)} />
    </section>
  );
}
