import type { ReactNode } from "react";
import type { PlansResponse, Quote } from "../../../worker/contract/money/payments.ts";
import { m } from "../../messages/messages.js";
import { PointsSlider, pointsStore } from "../payments/points-slider.tsx";
import { PriceLines } from "../payments/price-lines.tsx";

/** The points to use, and what the total is made of. */
export function OrderSummary({
  quote,
  isStale,
  plansResponse,
  points,
  maxPoints,
  children,
}: {
  quote: Quote;
  isStale: boolean;
  plansResponse: PlansResponse;
  /** Those that the slider shows, which the quote follows. */
  points: number;
  maxPoints: number;
  /** The other choices. */
  children?: ReactNode;
}) {
  const { raffle } = plansResponse;
  return (
    <section
      aria-labelledby="pay-summary"
      className="card grid content-start gap-3 px-4 py-3 sm:px-5 sm:py-4 lg:col-start-2 lg:row-start-2"
    >
      <h2 id="pay-summary" className="sr-only text-lg lg:not-sr-only">
        {m.pay_summary()}
      </h2>
      {plansResponse.points > 0 && (
        <PointsSlider
          balance={plansResponse.points}
          max={maxPoints}
          chosen={points}
          onChange={(chosen) => pointsStore.setState(() => chosen)}
        />
      )}
      <PriceLines price={quote} feeMillionths={plansResponse.feeMillionths} isStale={isStale} />
      {quote.entersRaffle && (
        <p className="text-sm text-soft">
          {m.pay_enters_raffle()}{" "}
          {raffle && (
            // Another tab: a card that is half typed would be lost.
            <a
              href={`/raffle/${raffle.id}`}
              target="_blank"
              rel="noreferrer"
              className="text-ink underline underline-offset-2"
            >
              {m.pay_raffle_details()}
            </a>
          )}
        </p>
      )}
      {raffle?.plan === quote.plan && quote.points > 0 && (
        <p className="text-sm text-soft">{m.pay_no_raffle_points()}</p>
      )}
      {children}
    </section>
  );
}
