import { useQuery } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { DEFAULT_PLAN, PLAN_DAYS, PLANS_FOR_SALE, type PlanForSale } from "../../../db/shapes/money/plans.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import type { PublicPlansResponse } from "../../../worker/contract/money/public-plans.ts";
import { publicPlansQuery } from "../../api/queries/public-plans.ts";
import { useIsHydrated } from "../../early/use-is-hydrated.ts";
import { m } from "../../messages/messages.js";
import { SERVED_PARTS } from "../../../worker/contract/served-cases.ts";
import { ServedPart } from "../../prerender/served-part.tsx";
import { Banner } from "../../ui/notices.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useOnline } from "../../ui/use-online.ts";
import { DEVICE_TIME_ZONE, formatDays, formatMoney, formatUntil } from "../language/format.ts";
import { buttonClass } from "../../ui/button.tsx";
import { RegisterLink } from "../account/register-link.tsx";
import { CitySpots } from "../spots/city-spots.tsx";
import { LandingSection } from "./sections.tsx";
import { planCases, PlanPrice, PriceSkeleton, RaffleHint, raffleCases } from "./plan-price.tsx";
import { DISCOUNT_LABELS } from "../payments/payment-labels.ts";

/** The plans side by side at their prices now, with what is on sale and the raffle. */
export function Pricing() {
  const { data } = useQuery(publicPlansQuery);
  // No price is shown until the deployment's own are known.
  const offers = useIsHydrated() ? data : undefined;
  const isOffline = !useOnline() && !offers;
  return (
    <LandingSection id="pricing" title={m.landing_pricing_title()} text={m.landing_pricing_text()}>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3 lg:grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))]">
        {PLANS_FOR_SALE.map((plan) => (
          <PlanCard key={plan} plan={plan} offers={offers} />
        ))}
      </ul>
      {isOffline && (
        <Banner Icon={WifiOff}>
          {m.offline_title()}. {m.offline_text()}
        </Banner>
      )}
      <p>
        <RegisterLink className={buttonClass("primary", "px-6 text-lg")} />
      </p>
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
      <ServedPart name={SERVED_PARTS.plan(plan)} cases={() => planCases(plan)} fallback={<PriceSkeleton />}>
        {offer ? (
          <PlanPrice
            price={money(offer.payCents)}
            perDay={money(offer.perDayCents)}
            sale={
              offer.discount && {
                before: money(offer.priceCents),
                label: DISCOUNT_LABELS[offer.discount.kind](),
                until: until(offer.discount.endsAt),
              }
            }
          />
        ) : null}
      </ServedPart>
      {isUsual && <p className="mt-1 text-sm font-semibold">{m.landing_price_usual()}</p>}
      <ServedPart name={SERVED_PARTS.raffle(plan)} cases={() => raffleCases(plan)} fallback={null}>
        {offers ? <>{raffle && <RaffleHint id={raffle.id} until={until(raffle.endsAt)} />}</> : null}
      </ServedPart>
    </li>
  );
}
