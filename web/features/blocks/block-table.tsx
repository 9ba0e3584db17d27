import type { BlockList } from "../../../db/shapes/log/driver-log.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import {
  formatClockRange,
  formatDate,
  formatBlockLength,
  formatExactMoney,
  formatRate,
  formatTime,
} from "../language/format.ts";
import { shownHourlyPay } from "../offers/feed-item.ts";
import { OutcomeMark, outcomeMessage } from "../offers/outcome-mark.tsx";
import type { SelectedOffer } from "../offers/offer-details.tsx";
import { LIST_LABELS } from "./list-labels.ts";
import { useVirtualRows, type Pagination } from "./use-virtual-rows.ts";

const ROW_HEIGHT = 57;

/** A list of blocks on a desktop; only visible rows are rendered. */
export function BlockTable({
  type,
  rows,
  now,
  pagination,
  onOpen,
}: {
  type: BlockList;
  rows: readonly SelectedOffer[];
  now: EpochMs;
  pagination: Pagination;
  onOpen: (row: SelectedOffer) => void;
}) {
  const { frame, indexes, above, below } = useVirtualRows<HTMLTableElement>({
    count: rows.length,
    rowHeight: ROW_HEIGHT,
    pagination,
  });
  const hasReason = type !== "won";
  return (
    <div className="card overflow-x-clip">
      <table
        ref={frame}
        data-testid="block-list"
        aria-rowcount={rows.length + 1}
        className="w-full table-fixed text-left text-sm"
      >
        <caption className="sr-only">{LIST_LABELS[type].name()}</caption>
        <thead>
          <tr className="text-sm text-soft *:sticky *:top-(--header) *:z-10 *:border-b *:border-line *:bg-raised *:first:rounded-tl-card *:last:rounded-tr-card *:px-3 *:py-3 *:font-semibold">
            <th scope="col">{m.blocks_col_where()}</th>
            <th scope="col" className="w-54">
              {m.blocks_col_when()}
            </th>
            <th scope="col" className="w-32 text-right">
              {m.blocks_col_pay()}
            </th>
            {hasReason && <th scope="col">{m.blocks_col_reason()}</th>}
            <th scope="col" className="w-38 text-right">
              {hasReason ? m.blocks_col_at() : m.blocks_col_captured()}
            </th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr aria-hidden style={{ height: above }} />}
          {indexes.map((index) => {
            const row = rows[index];
            return (
              row && (
                <Row
                  key={row.item.seq}
                  row={row}
                  index={index}
                  now={now}
                  hasReason={hasReason}
                  onOpen={() => onOpen(row)}
                />
              )
            );
          })}
          {below > 0 && <tr aria-hidden style={{ height: below }} />}
        </tbody>
      </table>
    </div>
  );
}

function Row({
  row,
  index,
  now,
  hasReason,
  onOpen,
}: {
  row: SelectedOffer;
  index: number;
  now: EpochMs;
  hasReason: boolean;
  onOpen: () => void;
}) {
  const { item, place } = row;
  const { offer, outcome, at } = item;
  return (
    <tr
      aria-rowindex={index + 2}
      className="figures h-14 *:border-b *:border-line last:*:border-b-0 *:px-3 hover:bg-sunken"
    >
      <th scope="row" className="text-base font-semibold">
        <button
          type="button"
          data-testid="offer-line"
          data-outcome={outcome.kind}
          onClick={onOpen}
          className="flex min-h-11 w-full items-center gap-3 text-left"
        >
          <OutcomeMark kind={outcome.kind} isQuiet />
          <span className="line-clamp-2 leading-tight underline decoration-line underline-offset-4">
            {place.name}
          </span>
        </button>
      </th>
      <td className="leading-tight whitespace-nowrap">
        <span className="block font-semibold">
          {formatDate(offer.startsAt, place.timeZone)} · {formatBlockLength(offer)}
        </span>
        <span className="block text-soft">{formatClockRange(offer, place.timeZone)}</span>
      </td>
      <td className="text-right leading-tight whitespace-nowrap">
        <span className="block text-base font-semibold">
          {formatExactMoney(offer.payCents, offer.currency)}
        </span>
        <span className="block text-soft">
          {formatRate(shownHourlyPay(item), offer.currency, formatExactMoney)}
        </span>
      </td>
      {hasReason && (
        <td>
          <span className="line-clamp-2 leading-tight">{outcomeMessage(outcome, now)}</span>
        </td>
      )}
      <td className="text-right leading-tight whitespace-nowrap text-soft">
        <span className="block">{formatTime(at, { timeZone: place.timeZone, now })}</span>
        {/* The column's name says of all others what they are. */}
        {outcome.kind === "won" && outcome.block.status === "forfeited" && (
          <span className="block font-semibold text-ink">{outcomeMessage(outcome, now)}</span>
        )}
      </td>
    </tr>
  );
}
