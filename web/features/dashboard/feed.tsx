import { Radar, SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import type { LogEntry } from "../../../db/shapes/log/driver-log.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { useIsWide } from "../../ui/use-is-wide.ts";
import { useNow } from "../../ui/use-now.ts";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { formatCount } from "../language/format.ts";
import type { FeedItem } from "../offers/feed-item.ts";
import { OfferSheet } from "../blocks/offer-sheet.tsx";
import type { SelectedOffer } from "../offers/offer-details.tsx";
import { offerPlace } from "../offers/offer-place.ts";
import { openSheet } from "../ui-state/ui-store.ts";
import { FeedRow } from "./feed-row.tsx";
import { feedRows } from "./feed-rows.ts";

/** Rows before 'show more': on a phone there is more below the feed. */
const COLLAPSED_ROWS = { phone: 5, desk: 12 };
const TICK_MS = 10_000;

type FeedProps = {
  entries: readonly LogEntry[];
  /** Today's captures, which stay above all other offers. */
  won: readonly LogEntry[];
  warehouses: readonly Warehouse[];
};

/** Today's captures and what is being captured, then all other offers, newest first. */
export function Feed({ entries, won, warehouses }: FeedProps) {
  const [selected, setSelected] = useState<SelectedOffer | null>(null);
  const now = useNow(TICK_MS);
  const isWide = useIsWide();
  const [isExpanded, setExpanded] = useState(false);
  const { pinned, others } = feedRows({ feed: entries, won }, now);
  const visible = isExpanded ? others : others.slice(0, isWide ? COLLAPSED_ROWS.desk : COLLAPSED_ROWS.phone);
  const rows = (shown: readonly FeedItem[], motion: string) =>
    shown.map((item) => {
      const place = offerPlace(item.offer, warehouses);
      return (
        <li key={item.offer.offerId} className={motion}>
          <FeedRow item={item} place={place} now={now} onOpen={() => setSelected({ item, place })} />
        </li>
      );
    });
  return (
    <section className="card min-w-0 self-start overflow-hidden max-sm:-mx-2" data-testid="feed">
      <div className="flex items-center justify-between gap-3 pt-3 pr-3 pl-5">
        <h2 className="text-lg">{m.feed_title()}</h2>
        <Button
          variant="quiet"
          className="-my-1 shrink-0 lg:hidden"
          aria-haspopup="dialog"
          aria-label={m.filters_short_open()}
          data-testid="open-filters-sheet"
          onClick={() => openSheet("filters")}
        >
          <SlidersHorizontal aria-hidden className="size-4.5" />
          <span className="max-sm:hidden">{m.filters_short_open()}</span>
        </Button>
      </div>
      {pinned.length > 0 && (
        <ul
          aria-label={m.feed_won()}
          data-testid="feed-won"
          className="divide-y divide-line border-b border-line"
        >
          {rows(pinned, "animate-[drop_180ms_ease-out]")}
        </ul>
      )}
      {others.length > 0 ? (
        <ul className="divide-y divide-line">{rows(visible, "animate-[drop_160ms_ease-out]")}</ul>
      ) : (
        pinned.length === 0 && (
          <StatusPanel Icon={Radar} title={m.feed_empty()}>
            {m.feed_empty_text()}
          </StatusPanel>
        )
      )}
      {visible.length < others.length && (
        <div className="grid border-t border-line p-1">
          <Button variant="quiet" onClick={() => setExpanded(true)}>
            {m.feed_more({ count: formatCount(others.length - visible.length) })}
          </Button>
        </div>
      )}
      <OfferSheet selected={selected} onClose={() => setSelected(null)} />
    </section>
  );
}
