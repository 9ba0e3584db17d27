import { useRef, type ReactNode } from "react";
import { MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { useNow } from "../../ui/use-now.ts";
import {
  formatClockRange,
  formatDate,
  formatExactMoney,
  formatBlockLength,
  formatRate,
  formatTime,
} from "../language/format.ts";
import { OutcomeMark, LOST_MESSAGES, outcomeMessage } from "./outcome-mark.tsx";
import { type FeedItem, shownHourlyPay } from "./feed-item.ts";
import type { OfferPlace } from "./offer-place.ts";
import { ReasonTable } from "./reason-table.tsx";
import { WonDetails } from "./won-details.tsx";
import { useMutation } from "@tanstack/react-query";
import type { Reason } from "../../../db/shapes/work/verdict.ts";
import { takeBlockAgain } from "../../api/queries/blocks.ts";
import { Button } from "../../ui/button.tsx";
import { errorMessage } from "../language/error-messages.ts";

export type SelectedOffer = { item: FeedItem; place: OfferPlace };

/** Everything about one offer: what it is, what became of it, and the reasons. */
export function OfferDetails({ item: { offer, outcome, at }, place }: SelectedOffer) {
  const reading = { timeZone: place.timeZone, now: useNow(MINUTE_MS) };
  return (
    <div data-testid="offer-sheet" className="grid gap-4">
      <p className="flex items-center gap-3 font-semibold">
        <OutcomeMark kind={outcome.kind} />
        {headlineMessage({ outcome, at }, reading)}
      </p>
      <div className="@container">
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 border-y border-line py-3 @max-[14rem]:grid-cols-1">
          <Fact name={m.offer_date()}>{formatDate(offer.startsAt, place.timeZone)}</Fact>
          <Fact name={m.offer_when()}>{formatClockRange(offer, place.timeZone)}</Fact>
          <Fact name={m.offer_length()}>{formatBlockLength(offer)}</Fact>
          <Fact name={m.offer_pay()}>
            {formatExactMoney(offer.payCents, offer.currency)}
            {offer.surge && <span className="ml-2 text-sm text-soft">{m.offer_surge()}</span>}
          </Fact>
          <Fact name={m.offer_rate()}>
            {formatRate(shownHourlyPay({ offer, outcome }), offer.currency, formatExactMoney)}
          </Fact>
        </dl>
      </div>
      {outcome.kind === "won" && <WonDetails block={outcome.block} place={place} />}
      {outcome.kind === "rejected" && (
        <>
          <ReasonTable {...outcome} offer={offer} place={place} now={reading.now} />
          <TakeAgain reasons={outcome.reasons} now={reading.now} />
        </>
      )}
      {outcome.kind === "lost" && (
        <section>
          <h3 className="text-lg">{m.offer_why_lost()}</h3>
          <p className="mt-1">{LOST_MESSAGES[outcome.reason]()}</p>
        </section>
      )}
      {outcome.kind !== "won" && (
        <p className="figures text-sm text-soft">
          {m.offer_seen({ time: formatTime(at, { ...reading, seconds: true }) })}
        </p>
      )}
    </div>
  );
}

/** The outcome in a few words; the reasons are listed below. */
function headlineMessage(
  { outcome, at }: Pick<FeedItem, "outcome" | "at">,
  reading: { timeZone: string; now: EpochMs },
): string {
  if (outcome.kind === "won" && outcome.block.status !== "forfeited")
    return m.offer_accepted_text({ time: formatTime(at, reading) });
  if (outcome.kind === "rejected") return m.offer_skipped();
  if (outcome.kind === "lost") return m.offer_missed();
  return outcomeMessage(outcome, reading.now);
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="figures font-semibold">{children}</dd>
    </>
  );
}

/** Lets the driver change their mind about a block that they gave back. */
function TakeAgain({ reasons, now }: { reasons: readonly Reason[]; now: EpochMs }) {
  const button = useRef<HTMLButtonElement>(null);
  const result = useRef<HTMLOutputElement>(null);
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: takeBlockAgain,
    onSuccess: () => {
      // The button goes with the next render, and would take the keyboard's focus with it.
      if (button.current && button.current === document.activeElement) result.current?.focus();
    },
  });
  const givenBack = reasons.find((reason) => reason.code === "given_back");
  // A block that has started is not offered again.
  if (!givenBack || givenBack.offer.startsAt <= now) return null;
  const { blockId } = givenBack.offer;
  return (
    <>
      {!isSuccess && (
        <Button ref={button} aria-disabled={isPending} onClick={() => isPending || mutate(blockId)}>
          {m.offer_take_again()}
        </Button>
      )}
      <output ref={result} tabIndex={-1} className="empty:sr-only">
        {isSuccess && m.offer_take_again_done()}
      </output>
      {error && (
        <p role="alert" className="text-sm font-semibold text-bad">
          {errorMessage(error)}
        </p>
      )}
    </>
  );
}
