import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Ticket } from "lucide-react";
import { DEFAULT_PLAN, PLAN_DAYS, PLANS_FOR_SALE, type PlanForSale } from "../../../db/shapes/plans.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import type { PublicPlansResponse } from "../../../worker/contract/public-plans.ts";
import { publicPlansQuery } from "../../api/public-plans.ts";
import { useIsHydrated } from "../../api/use-is-hydrated.ts";
import { m } from "../../messages/messages.js";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use-now.ts";
import { DEVICE_TIME_ZONE, formatDays, formatMoney, formatUntil } from "../language/format.ts";
import { CitySpots } from "../spots/city-spots.tsx";
import { LandingSection } from "./landing-section.tsx";
import { DISCOUNT_LABELS } from "../payments/payment-labels.ts";

/** The plans side by side at their prices now, with what is on sale and the raffle. */
export function Pricing() {
  const { data } = useQuery(publicPlansQuery);
  // No price is shown until the deployment's own are known.
  const offers = useIsHydrated() ? data : undefined;
  return (
    <LandingSection id="pricing" title={m.landing_pricing_title()} text={m.landing_pricing_text()}>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3">
        {PLANS_FOR_SALE.map((plan) => (
          <PlanCard key={plan} plan={plan} offers={offers} />
        ))}
      </ul>
      <p className="max-w-prose text-soft">{m.landing_pricing_note()}</p>
      <CitySpots />
    </LandingSection>
  );
}

function PlanCard({ plan, offers }: { plan: PlanForSale; offers: PublicPlansResponse | undefined }) {
  const now = useNow(MINUTE_MS);
  const offer = offers?.plans.find((known) => known.plan === plan);
  const money = (cents: number) => formatMoney(cents, offers?.currency ?? "USD");
  const until = (at: number) => formatUntil(at, { timeZone: DEVICE_TIME_ZONE, now });
  const isUsual = plan === DEFAULT_PLAN;
  const raffle = offers?.raffle?.plan === plan ? offers.raffle : null;
  return (
    <li
      className={`card figures grid content-start gap-1 p-3 sm:p-5 ${isUsual ? "outline-2 -outline-offset-1 outline-ink" : ""}`}
    >
      <h3 className="text-lg">{formatDays(PLAN_DAYS[plan])}</h3>
      <div className="flex flex-wrap items-baseline gap-x-2 font-display text-xl leading-tight font-bold sm:text-2xl">
        {offer ? (
          <>
            {offer.discount && <span className="sr-only">{m.pay_price_now()}</span>}
            {money(offer.payCents)}
            {offer.discount && (
              <s className="text-sm font-normal text-soft">
                <span className="sr-only">{m.pay_price_before()} </span>
                {money(offer.priceCents)}
              </s>
            )}
          </>
        ) : (
          <Skeleton className="my-1 h-6 w-24" />
        )}
      </div>
      <p className="min-h-5 text-sm text-soft">
        {offer && m.landing_price_per_day({ money: money(offer.perDayCents) })}
      </p>
      {offer?.discount && (
        <p className="text-sm font-semibold text-good">
          {DISCOUNT_LABELS[offer.discount.kind]()}{" "}
          <span className="font-normal">{m.pay_until({ until: until(offer.discount.endsAt) })}</span>
        </p>
      )}
      {isUsual && <p className="mt-1 text-sm font-semibold">{m.landing_price_usual()}</p>}
      {raffle && (
        <p className="mt-1 flex gap-1.5 text-sm">
          <Ticket aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>
            {m.pay_raffle_hint({ until: until(raffle.endsAt) })}
            <Link
              to="/raffle/$id"
              params={{ id: raffle.id }}
              className="flex min-h-11 items-center font-semibold underline underline-offset-4"
            >
              {m.pay_raffle_details()}
            </Link>
          </span>
        </p>
      )}
    </li>
  );
}
