import { Radar } from "lucide-react";
import { useState } from "react";
import type { LiveEvent } from "../../../worker/contract/live.ts";
import type { Warehouse } from "../../../durable/engine/types.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { sayCount } from "../language/format.ts";
import { toFeedItem } from "../offers/feed-item.ts";
import { OfferLine } from "../offers/offer-line.tsx";
import { OfferSheet, type Opened } from "../offers/offer-sheet.tsx";
import { placeOf } from "../offers/place-of.ts";

/** So many lines before more are asked for: on a phone something stands below. */
const LINES = 12;

/** Offers as they are judged, newest first. */
export function Feed({
  entries,
  warehouses,
}: {
  entries: readonly LiveEvent[];
  warehouses: readonly Warehouse[];
}) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [isWhole, setWhole] = useState(false);
  const items = entries.map(toFeedItem).filter((item) => item !== null);
  const shown = isWhole ? items : items.slice(0, LINES);
  return (
    <section className="card min-w-0 self-start overflow-hidden" data-testid="feed">
      <h2 className="px-5 pt-5 pb-2 text-lg">{m.feed_title()}</h2>
      {items.length === 0 ? (
        <Notice Icon={Radar} title={m.feed_empty()}>
          {m.feed_empty_text()}
        </Notice>
      ) : (
        <ul className="divide-y divide-line">
          {shown.map((item) => {
            const place = placeOf(item.offer, warehouses);
            return (
              <li key={item.offer.offerId} className="animate-[drop_160ms_ease-out]">
                <OfferLine item={item} place={place} onOpen={() => setOpened({ item, place })} />
              </li>
            );
          })}
        </ul>
      )}
      {shown.length < items.length && (
        <div className="grid border-t border-line p-1">
          <Button look="quiet" onClick={() => setWhole(true)}>
            {m.feed_more({ count: sayCount(items.length - shown.length) })}
          </Button>
        </div>
      )}
      <OfferSheet opened={opened} onClose={() => setOpened(null)} />
    </section>
  );
}
