import { m } from "../../messages/messages.js";
import { sayClocks, sayDate, sayDayTime, sayLength } from "../language/format.ts";
import { sayFate } from "../offers/fate-words.ts";
import { OfferLine } from "../offers/offer-line.tsx";
import type { Opened } from "../offers/offer-sheet.tsx";
import { useRows, type More } from "./use-rows.ts";

const CARD_HEIGHT = 110;

/** A list of blocks on a phone; only what is in view is drawn. */
export function BlockCards({
  rows,
  more,
  onOpen,
}: {
  rows: readonly Opened[];
  more: More;
  onOpen: (row: Opened) => void;
}) {
  const { frame, indexes, above, below, measure } = useRows<HTMLUListElement>({
    count: rows.length,
    rowHeight: CARD_HEIGHT,
    more,
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
            <OfferLine
              item={row.item}
              place={row.place}
              when={sayWhen(row)}
              note={sayNote(row)}
              onOpen={() => onOpen(row)}
            />
          </li>
        ) : null;
      })}
    </ul>
  );
}

/** Date, length and hours; and when it was seen, where the note does not say. */
function sayWhen({ item: { offer, fate, at }, place: { timeZone } }: Opened): string[] {
  const lines = [`${sayDate(offer.startsAt, timeZone)} · ${sayLength(offer)}`, sayClocks(offer, timeZone)];
  return fate.kind === "won" ? lines : [...lines, m.offer_seen({ time: sayDayTime(at, timeZone) })];
}

/** What became of it. */
function sayNote({ item: { fate, at }, place: { timeZone } }: Opened): string {
  return fate.kind === "won" ? `${sayFate(fate)} ${sayDayTime(at, timeZone)}` : sayFate(fate);
}
