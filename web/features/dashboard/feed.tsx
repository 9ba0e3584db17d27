import { Radar } from "lucide-react";
import { useState } from "react";
import type { LogEntry } from "../../../db/shapes/driver-log.ts";
import type { Warehouse } from "../../../db/shapes/offer.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { formatBlockLength, formatCount, formatTime } from "../language/format.ts";
import { eventToFeedItem } from "../offers/feed-item.ts";
import { OfferRow } from "../offers/offer-row.tsx";
import { OfferSheet, type SelectedOffer } from "../offers/offer-sheet.tsx";
import { offerPlace } from "../offers/offer-place.ts";

/** Rows before 'show more': on a phone there is more below the feed. */
const COLLAPSED_ROWS = 12;

/** Offers as they are judged, newest first. */
export function Feed({
  entries,
  warehouses,
}: {
  entries: readonly LogEntry[];
  warehouses: readonly Warehouse[];
}) {
  const [selected, setSelected] = useState<SelectedOffer | null>(null);
  const now = useNow(MINUTE_MS);
  const [isExpanded, setExpanded] = useState(false);
  const items = entries.map(eventToFeedItem).filter((item) => item !== null);
  const visible = isExpanded ? items : items.slice(0, COLLAPSED_ROWS);
  return (
    <section className="card min-w-0 self-start overflow-hidden" data-testid="feed">
      <h2 className="px-5 pt-5 pb-2 text-lg">{m.feed_title()}</h2>
      {items.length === 0 ? (
        <StatusPanel Icon={Radar} title={m.feed_empty()}>
          {m.feed_empty_text()}
        </StatusPanel>
      ) : (
        <ul className="divide-y divide-line">
          {visible.map((item) => {
            const place = offerPlace(item.offer, warehouses);
            return (
              <li key={item.offer.offerId} className="animate-[drop_160ms_ease-out]">
                <OfferRow
                  item={item}
                  place={place}
                  when={[
                    `${formatTime(item.offer.startsAt, { timeZone: place.timeZone, now })} · ${formatBlockLength(item.offer)}`,
                  ]}
                  onOpen={() => setSelected({ item, place })}
                />
              </li>
            );
          })}
        </ul>
      )}
      {visible.length < items.length && (
        <div className="grid border-t border-line p-1">
          <Button variant="quiet" onClick={() => setExpanded(true)}>
            {m.feed_more({ count: formatCount(items.length - visible.length) })}
          </Button>
        </div>
      )}
      <OfferSheet selected={selected} onClose={() => setSelected(null)} />
    </section>
  );
}
