import { sayDayTime, sayLength, sayMoney, sayRate } from "../language/format.ts";
import { FateMark } from "./fate-mark.tsx";
import { sayFate } from "./fate-words.ts";
import type { FeedItem } from "./feed-item.ts";
import type { Place } from "./reason-words.ts";

/** One offer, in one line on a desk and two on a phone. A tap tells why. */
export function OfferLine({
  item,
  place,
  onOpen,
  when,
  note,
}: {
  item: FeedItem;
  place: Place;
  onOpen: () => void;
  /** Lines; left out: the weekday, the start and the length. */
  when?: readonly string[];
  /** Left out: what became of it. */
  note?: string;
}) {
  const { offer, fate } = item;
  return (
    <button
      type="button"
      data-testid="offer-line"
      data-fate={fate.kind}
      onClick={onOpen}
      className="flex min-h-14 w-full items-center gap-3 px-4 py-2.5 text-left hover:bg-sunken focus-visible:-outline-offset-3"
    >
      <FateMark kind={fate.kind} />
      <span className="grid min-w-0 flex-1 gap-x-4 xl:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)] xl:items-center">
        <span className="min-w-0">
          <span className="line-clamp-2 font-semibold">{place.name}</span>
          {(when ?? [`${sayDayTime(offer.startsAt, place.timeZone)} · ${sayLength(offer)}`]).map((line) => (
            <span key={line} className="figures block text-sm text-soft">
              {line}
            </span>
          ))}
        </span>
        <span
          className={`line-clamp-2 text-sm ${fate.kind === "won" && note === undefined ? "font-semibold" : "text-soft"}`}
        >
          {note ?? sayFate(fate)}
        </span>
      </span>
      <span className="figures min-w-24 shrink-0 text-right">
        <span className="block font-semibold">{sayMoney(offer.payCents, offer.currency)}</span>
        <span className="block text-sm text-soft">{sayRate(offer, offer.currency)}</span>
      </span>
    </button>
  );
}
