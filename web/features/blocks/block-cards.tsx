import type { EpochMs } from "../../../db/shapes/units.ts";
import {
  formatBlockLength,
  formatClock,
  formatDate,
  formatExactMoney,
  formatRate,
  formatTime,
} from "../language/format.ts";
import { shownHourlyPay } from "../offers/feed-item.ts";
import { OutcomeMark, outcomeMessage } from "../offers/outcome-mark.tsx";
import type { SelectedOffer } from "../offers/offer-details.tsx";
import { useVirtualRows, type Pagination } from "./use-virtual-rows.ts";

const CARD_HEIGHT = 89;

/** A list of blocks on a phone; only visible rows are rendered. */
export function BlockCards({
  rows,
  now,
  pagination,
  onOpen,
}: {
  rows: readonly SelectedOffer[];
  now: EpochMs;
  pagination: Pagination;
  onOpen: (row: SelectedOffer) => void;
}) {
  const { frame, indexes, above, below, measure } = useVirtualRows<HTMLUListElement>({
    count: rows.length,
    rowHeight: CARD_HEIGHT,
    pagination,
  });
  return (
    <ul
      ref={frame}
      data-testid="block-list"
      className="card overflow-hidden"
      style={{ paddingTop: above, paddingBottom: below }}
    >
      {indexes.map((index) => {
        const row = rows[index];
        return row ? (
          <li
            key={row.item.seq}
            ref={measure}
            data-index={index}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            className="border-b border-line"
          >
            <BlockCard row={row} now={now} onOpen={() => onOpen(row)} />
          </li>
        ) : null;
      })}
    </ul>
  );
}

/** One block in three lines: where and pay, when and hourly pay, the outcome and when it was known. */
function BlockCard({ row, now, onOpen }: { row: SelectedOffer; now: EpochMs; onOpen: () => void }) {
  const { item, place } = row;
  const { offer, outcome, at } = item;
  const { timeZone } = place;
  return (
    <button
      type="button"
      data-testid="offer-line"
      data-outcome={outcome.kind}
      onClick={onOpen}
      className="@container flex w-full items-center gap-3 px-4 py-2.5 text-left hover:bg-sunken focus-visible:-outline-offset-3"
    >
      <OutcomeMark kind={outcome.kind} isQuiet />
      <span className="figures grid min-w-0 flex-1 grid-cols-1 gap-0.5 *:flex *:items-baseline *:justify-between *:gap-x-3 @max-[17rem]:*:flex-wrap">
        <span className="font-semibold">
          <span className="truncate @max-[17rem]:whitespace-normal">{place.name}</span>
          <span className="ml-auto">{formatExactMoney(offer.payCents, offer.currency)}</span>
        </span>
        <span className="text-sm text-soft">
          <span className="min-w-0">
            {formatDate(offer.startsAt, timeZone)} · {formatClock(offer.startsAt, timeZone)} ·{" "}
            <span className="whitespace-nowrap">{formatBlockLength(offer)}</span>
          </span>
          <span className="ml-auto shrink-0">
            {formatRate(shownHourlyPay(item), offer.currency, formatExactMoney)}
          </span>
        </span>
        <span className="text-sm">
          <span className="min-w-0">{outcomeMessage(outcome, now)}</span>
          <span className="ml-auto shrink-0 text-xs text-soft">{formatTime(at, { timeZone, now })}</span>
        </span>
      </span>
    </button>
  );
}
