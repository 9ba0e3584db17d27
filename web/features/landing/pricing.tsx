import { DEFAULT_PLAN, PLAN_DAYS, PLANS_FOR_SALE } from "../../../db/shapes/plans.ts";
import { useLoadedConfig } from "../../api/use-config.ts";
import { m } from "../../messages/messages.js";
import { formatDays, formatMoney } from "../language/format.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { CitySpots } from "../spots/city-spots.tsx";
import { LandingSection } from "./landing-section.tsx";

/** The plans side by side, with the price per day. */
export function Pricing() {
  const config = useLoadedConfig();
  // No price is shown until the deployment's own are known.
  const price = (cents: number) => config && formatMoney(cents, config.currency);
  return (
    <LandingSection id="pricing" title={m.landing_pricing_title()} text={m.landing_pricing_text()}>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3">
        {PLANS_FOR_SALE.map((plan) => {
          const days = PLAN_DAYS[plan];
          const cents = config?.planPrices[plan] ?? 0;
          const isUsual = plan === DEFAULT_PLAN;
          return (
            <li
              key={plan}
              className={`card figures grid content-start gap-1 p-3 sm:p-5 ${isUsual ? "outline-2 -outline-offset-1 outline-ink" : ""}`}
            >
              <h3 className="text-lg">{formatDays(days)}</h3>
              <div className="font-display text-xl leading-tight sm:text-2xl font-bold">
                {price(cents) ?? <Skeleton className="my-1 h-6 w-24" />}
              </div>
              <p className="min-h-5 text-sm text-soft">
                {config && m.landing_price_per_day({ money: price(Math.round(cents / days)) ?? "" })}
              </p>
              {isUsual && <p className="mt-1 text-sm font-semibold">{m.landing_price_usual()}</p>}
            </li>
          );
        })}
      </ul>
      <p className="max-w-prose text-soft">{m.landing_pricing_note()}</p>
      <CitySpots />
    </LandingSection>
  );
}
