import { formatExactMoney, formatRate } from "../language/format.ts";
import { OutcomeMark } from "./outcome-mark.tsx";
import { type FeedItem, shownHourlyPay } from "./feed-item.ts";
import type { OfferPlace } from "./offer-place.ts";

/** One offer: one line on a desktop, two on a phone. A tap opens its details. */
export function OfferRow({
  item,
  place,
  onOpen,
  when,
  note,
}: {
  item: FeedItem;
  place: OfferPlace;
  onOpen: () => void;
  /** The parts of a line: when the block starts, how long it is. */
  when: readonly string[];
  note: string;
}) {
  const { offer, outcome } = item;
  return (
    <button
      type="button"
      data-testid="offer-line"
      data-outcome={outcome.kind}
      onClick={onOpen}
      className="@container block w-full px-4 py-2.5 text-left hover:bg-sunken focus-visible:-outline-offset-3"
    >
      <span className="flex min-h-9 items-center gap-x-3 @max-[17rem]:flex-wrap">
        <OutcomeMark kind={outcome.kind} isQuiet />
        <span className="grid min-w-0 flex-1 gap-x-4 @max-[17rem]:min-w-[min(100%-2.75rem,8rem)] xl:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)] xl:items-center">
          <span className="min-w-0">
            <span className="line-clamp-2 font-semibold @max-[17rem]:line-clamp-none">{place.name}</span>
            {/* No line begins with the dot. */}
            <span className="figures block text-sm text-soft">{when.join("\u00a0· ")}</span>
          </span>
          <span className="line-clamp-2 text-sm text-soft">{note}</span>
        </span>
        <span className="figures min-w-24 shrink-0 text-right xl:min-w-36 @max-[17rem]:ml-auto @max-[17rem]:shrink">
          <span className="block font-semibold">{formatExactMoney(offer.payCents, offer.currency)}</span>
          <span className="block text-sm text-soft">
            {formatRate(shownHourlyPay(item), offer.currency, formatExactMoney)}
          </span>
        </span>
      </span>
    </button>
  );
}
