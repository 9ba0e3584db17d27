import type { EpochMs } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { formatBlockLength, formatClockRange, formatDate, formatTime } from "../language/format.ts";
import { outcomeMessage } from "../offers/outcome-messages.ts";
import { OfferRow } from "../offers/offer-row.tsx";
import type { SelectedOffer } from "../offers/offer-sheet.tsx";
import { useVirtualRows, type Pagination } from "./use-virtual-rows.ts";

const CARD_HEIGHT = 110;

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
            <OfferRow
              item={row.item}
              place={row.place}
              when={formatWhen(row, now)}
              note={formatNote(row, now)}
              onOpen={() => onOpen(row)}
            />
          </li>
        ) : null;
      })}
    </ul>
  );
}

/** Date, length and hours; and when the offer was seen, unless the note says so. */
function formatWhen(
  { item: { offer, outcome, at }, place: { timeZone } }: SelectedOffer,
  now: EpochMs,
): string[] {
  const lines = [
    `${formatDate(offer.startsAt, timeZone)} · ${formatBlockLength(offer)}`,
    formatClockRange(offer, timeZone),
  ];
  return outcome.kind === "won"
    ? lines
    : [...lines, m.offer_seen({ time: formatTime(at, { timeZone, now }) })];
}

/** The outcome; for a captured block, with its time. */
function formatNote({ item: { outcome, at }, place: { timeZone } }: SelectedOffer, now: EpochMs): string {
  return outcome.kind === "won"
    ? `${outcomeMessage(outcome)} ${formatTime(at, { timeZone, now })}`
    : outcomeMessage(outcome);
}
