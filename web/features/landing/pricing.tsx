import { useQuery } from "@tanstack/react-query";
import { DEFAULT_PLAN, PLAN_DAYS, PLANS_FOR_SALE, SEED_PRICES } from "../../../db/shapes/plans.ts";
import { configQuery } from "../../api/queries.ts";
import { m } from "../../messages/messages.js";
import { formatDays, formatMoney } from "../language/format.ts";
import { CitySpots } from "../spots/city-spots.tsx";
import { LandingSection } from "./landing-section.tsx";

/** The plans side by side, with the price per day. */
export function Pricing() {
  const config = useQuery(configQuery).data;
  const currency = config?.currency ?? "USD";
  // The HTML is made at build time, when nobody knows a deployment's prices.
  const prices = config?.planPrices ?? SEED_PRICES;
  return (
    <LandingSection id="pricing" title={m.landing_pricing_title()} text={m.landing_pricing_text()}>
      <ul className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {PLANS_FOR_SALE.map((plan) => {
          const days = PLAN_DAYS[plan];
          const cents = prices[plan];
          const isUsual = plan === DEFAULT_PLAN;
          return (
            <li
              key={plan}
              className={`card figures grid content-start gap-1 p-3 sm:p-5 ${isUsual ? "outline-2 -outline-offset-1 outline-ink" : ""}`}
            >
              <h3 className="text-lg">{formatDays(days)}</h3>
              <p className="font-display text-xl leading-tight sm:text-2xl font-bold">
                {formatMoney(cents, currency)}
              </p>
              <p className="text-sm text-soft">
                {m.landing_price_per_day({ money: formatMoney(Math.round(cents / days), currency) })}
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
