import { m } from "../../messages/messages.js";
import {
  formatBlockLength,
  formatExactMoney,
  formatRate,
  formatShortTimeAgo,
  formatTime,
} from "../language/format.ts";
import { shownHourlyPay } from "../offers/hourly-pay.ts";
import type { FeedItem } from "../offers/feed-item.ts";
import type { OfferPlace } from "../offers/offer-place.ts";
import { OutcomeMark, outcomeMessage } from "../offers/outcome-mark.tsx";

/**
 * One offer of the feed in 56 px: where, when and the pay, below them the outcome, how long ago it was known, and the hourly
 * pay. Large text and narrow screens give the place a line of its own. A tap opens the details.
 */
export function FeedRow({
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
  const message = outcomeMessage(outcome);
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
