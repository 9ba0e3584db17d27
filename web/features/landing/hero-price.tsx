import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { factToken, SERVED_PARTS } from "../../../worker/contract/served-cases.ts";
import { publicPlansQuery } from "../../api/queries/public-plans.ts";
import { m } from "../../messages/messages.js";
import { formatMoney } from "../language/format.ts";
import { ServedPart } from "../../prerender/served-part.tsx";

/** What a day costs at least, above the fold; it leads to the plans. */
export function HeroPrice() {
  const { data } = useQuery(publicPlansQuery);
  return (
    <ServedPart
      name={SERVED_PARTS.leastPrice}
      cases={() => ({ known: <LeastPrice perDay={factToken("day-least")} /> })}
      fallback={<PricingLink>{m.nav_pricing()}</PricingLink>}
    >
      {data ? (
        <LeastPrice
          perDay={formatMoney(Math.min(...data.plans.map((plan) => plan.perDayCents)), data.currency)}
        />
      ) : null}
    </ServedPart>
  );
}

function LeastPrice({ perDay }: { perDay: string }) {
  return <PricingLink>{m.landing_price_from({ money: perDay })}</PricingLink>;
}

function PricingLink({ children }: { children: ReactNode }) {
  return (
    <Link
      to="/"
      hash="pricing"
      className="figures inline-flex min-h-11 items-center rounded-field text-lg font-semibold underline decoration-1 underline-offset-4"
    >
      {children}
    </Link>
  );
}
