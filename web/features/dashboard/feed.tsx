import { Radar, SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import type { LogEntry } from "../../../db/shapes/log/driver-log.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { useIsWide } from "../../ui/use-is-wide.ts";
import { useNow } from "../../ui/use-now.ts";
import { StatusPanel } from "../../ui/status-panel.tsx";
import {
  formatCount,
  formatBlockLength,
  formatExactMoney,
  formatRate,
  formatShortTimeAgo,
  formatTime,
} from "../language/format.ts";
import { type FeedItem, eventToFeedItem, shownHourlyPay } from "../offers/feed-item.ts";
import { OfferSheet } from "../blocks/offer-sheet.tsx";
import type { SelectedOffer } from "../offers/offer-details.tsx";
import { offerPlace, type OfferPlace } from "../offers/offer-place.ts";
import { OutcomeMark, outcomeMessage } from "../offers/outcome-mark.tsx";
import { openSheet } from "../ui-state/ui-store.ts";

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
      <OfferSheet selected={selected} items={[...pinned, ...others]} onClose={() => setSelected(null)} />
    </section>
  );
}

/**
 * One offer of the feed in 56 px: where, when and the pay, below them the outcome, how long ago it was known, and the hourly
 * pay. Large text and narrow screens give the place a line of its own. A tap opens the details.
 */
function FeedRow({
  item,
  place,
  now,
  onOpen,
}: {
  item: FeedItem;
  place: OfferPlace;
  now: number;
  onOpen: () => void;
}) {
  const { offer, outcome, at } = item;
  const message = outcomeMessage(outcome, now);
  // The tick says it already.
  const isPlainCapture = outcome.kind === "won" && message === m.feed_captured();
  const when = `${formatTime(offer.startsAt, { timeZone: place.timeZone, now })} · ${formatBlockLength(offer)}`;
  return (
    <button
      type="button"
      data-testid="offer-line"
      data-outcome={outcome.kind}
      onClick={onOpen}
      className="@container block min-h-14 w-full px-3 py-1.5 text-left hover:bg-sunken focus-visible:-outline-offset-3 sm:px-4"
    >
      <span className="flex items-center gap-x-2 @max-[14rem]:flex-wrap">
        <OutcomeMark kind={outcome.kind} sizeClass="size-5.5" />
        <span className="grid min-w-0 flex-1 text-sm leading-[1.375rem] @max-[14rem]:basis-[calc(100%-3rem)] @min-[36rem]:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] @min-[36rem]:items-center @min-[36rem]:gap-x-4">
          <span className="min-w-0 @min-[20rem]:flex @min-[20rem]:gap-x-1.5 @min-[36rem]:block">
            <span className="block min-w-0 truncate font-semibold @max-[20rem]:whitespace-normal">
              {place.name}
            </span>
            <span className="figures block shrink-0 text-xs leading-[1.375rem] text-soft">{when}</span>
          </span>
          <span className="flex min-w-0 gap-x-1 text-xs leading-[1.375rem] text-soft @max-[20rem]:flex-wrap @min-[36rem]:text-sm">
            {isPlainCapture ? (
              <span className="sr-only">{message}</span>
            ) : (
              <span className="min-w-0 truncate @max-[20rem]:whitespace-normal">{message}</span>
            )}
            <span className="figures shrink-0">
              {!isPlainCapture && <span aria-hidden>· </span>}
              {formatShortTimeAgo(now - at)}
            </span>
          </span>
        </span>
        <span className="figures ml-auto shrink-0 text-right @min-[36rem]:min-w-[6rem] @max-[14rem]:flex @max-[14rem]:shrink @max-[14rem]:basis-full @max-[14rem]:flex-wrap @max-[14rem]:justify-end @max-[14rem]:gap-x-3">
          <span className="block text-base leading-[1.375rem] font-semibold">
            {formatExactMoney(offer.payCents, offer.currency)}
          </span>
          <span className="block text-xs leading-[1.375rem] text-soft">
            {formatRate(shownHourlyPay(item), offer.currency, formatExactMoney)}
          </span>
        </span>
      </span>
    </button>
  );
}

/** An entry of the feed, and when its offer came to be tried. */
type Row = FeedItem & { firstAt: EpochMs };

/** A match that nobody tried to capture by then (the mode chose another) is one offer among the others. */
const UNTRIED_MS = 30_000;

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
  const isUnderWay = ({ outcome, at }: Row) =>
    outcome.kind === "trying" ||
    (outcome.kind === "asked" && now < outcome.until) ||
    (outcome.kind === "match" && now - at < UNTRIED_MS);
  return {
    pinned: [...rows.filter(isUnderWay), ...captured].toSorted(newestFirst),
    others: rows.filter((row) => !isUnderWay(row)),
  };
}

/** Rows of one instant keep an order that no outcome changes. */
function newestFirst(one: Row, other: Row): number {
  return other.firstAt - one.firstAt || (one.offer.offerId < other.offer.offerId ? -1 : 1);
}

function toRows(entries: readonly LogEntry[]): Row[] {
  return entries.flatMap((entry) => {
    const item = eventToFeedItem(entry);
    return item ? [{ ...item, firstAt: firstAtOf(entry) }] : [];
  });
}

/** An instant that the offer's capture doesn't change. */
function firstAtOf({ event }: LogEntry): EpochMs {
  return event.kind === "attempt_settled" ? event.attempt.createdAt : event.at;
}
