import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleAlert, WifiOff, Ticket } from "lucide-react";
import type { ReactNode } from "react";
import { DEFAULT_PLAN, PLAN_DAYS, PLANS_FOR_SALE, type PlanForSale } from "../../../db/shapes/money/plans.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import type { PublicPlansResponse } from "../../../worker/contract/money/public-plans.ts";
import { publicPlansQuery } from "../../api/queries/public-plans.ts";
import { useIsHydrated } from "../../early/use-is-hydrated.ts";
import { m } from "../../messages/messages.js";
import { SERVED_PARTS, factToken, UNKNOWN_CASE } from "../../../worker/contract/served-cases.ts";
import { ServedPart } from "../../prerender/served-part.tsx";
import { Banner } from "../../ui/notices.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useOnline } from "../../ui/use-online.ts";
import { DEVICE_TIME_ZONE, formatDays, formatMoney, formatUntil } from "../language/format.ts";
import { buttonClass } from "../../ui/button.tsx";
import { RegisterLink } from "../account/register-link.tsx";
import { CitySpots } from "../spots/city-spots.tsx";
import { LandingSection } from "./sections.tsx";
import { DISCOUNT_LABELS } from "../payments/payment-labels.ts";

type Sale = { before: string; label: string; until: string };

/** The plans side by side at their prices now, with what is on sale and the raffle. */
export function Pricing() {
  const { data, isError } = useQuery(publicPlansQuery);
  // No price is shown until the deployment's own are known.
  const offers = useIsHydrated() ? data : undefined;
  const isOffline = !useOnline() && !offers;
  const isUnknown = isError && !offers;
  return (
    <LandingSection id="pricing" title={m.landing_pricing_title()} text={m.landing_pricing_text()}>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3 lg:grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))]">
        {PLANS_FOR_SALE.map((plan) => (
          <PlanCard key={plan} plan={plan} offers={offers} isUnknown={isUnknown} />
        ))}
      </ul>
      {isOffline && (
        <Banner Icon={WifiOff}>
          {m.offline_title()}. {m.offline_text()}
        </Banner>
      )}
      {isUnknown && !isOffline && <Banner Icon={CircleAlert}>{m.landing_prices_failed()}</Banner>}
      <p>
        <RegisterLink className={buttonClass("primary", "px-6 text-lg")} />
      </p>
      <p className="max-w-prose text-soft">{m.landing_pricing_note()}</p>
      <CitySpots />
    </LandingSection>
  );
}

function PlanCard({
  plan,
  offers,
  isUnknown,
}: {
  plan: PlanForSale;
  offers: PublicPlansResponse | undefined;
  isUnknown: boolean;
}) {
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
      <ServedPart
        name={SERVED_PARTS.plan(plan)}
        cases={() => planCases(plan)}
        fallback={isUnknown ? null : <PriceSkeleton />}
      >
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

/** A plan's price now, and a day's of it. All as it is read. */
function PlanPrice({ price, perDay, sale }: { price: string; perDay: string; sale: Sale | null }) {
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-2 font-display text-lg leading-tight font-bold min-[360px]:text-xl lg:text-2xl">
        {sale && <span className="sr-only">{m.pay_price_now()}</span>}
        {price}
        {sale && (
          <s className="text-sm font-normal text-soft">
            <span className="sr-only">{m.pay_price_before()} </span>
            {sale.before}
          </s>
        )}
      </div>
      <p className="min-h-5 text-sm text-soft">{m.landing_price_per_day({ money: perDay })}</p>
      {sale && (
        <p className="text-sm font-semibold text-good">
          {sale.label} <span className="font-normal">{m.pay_until({ until: sale.until })}</span>
        </p>
      )}
    </>
  );
}

/** No price is shown until the deployment's own are known. */
function PriceSkeleton() {
  return (
    <>
      <Skeleton className="my-1 h-6 w-24" />
      <p className="min-h-5" />
    </>
  );
}

/** A plan's price in each form that the Worker may serve. */
function planCases(plan: PlanForSale): Record<string, ReactNode> {
  const figures = { price: factToken(`price-${plan}`), perDay: factToken(`day-${plan}`) };
  const sale = {
    before: factToken(`before-${plan}`),
    label: DISCOUNT_LABELS.flash_sale(),
    until: factToken(`until-${plan}`),
  };
  return {
    plain: <PlanPrice {...figures} sale={null} />,
    sale: <PlanPrice {...figures} sale={sale} />,
    [UNKNOWN_CASE]: <i data-skeleton />,
  };
}

/** The raffle that a full payment of the plan enters. */
function RaffleHint({ id, until }: { id: string; until: string }) {
  return (
    <p className="mt-1 flex gap-1.5 text-sm">
      <Ticket aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        {m.pay_raffle_hint({ until })}
        <Link
          to="/raffle/$id"
          params={{ id }}
          className="flex min-h-11 items-center font-semibold underline underline-offset-4"
        >
          {m.pay_raffle_details()}
        </Link>
      </span>
    </p>
  );
}

/** The raffle's hint, where one is open. */
function raffleCases(plan: PlanForSale): Record<string, ReactNode> {
  return { open: <RaffleHint id={factToken("raffle")} until={factToken(`raffle-until-${plan}`)} /> };
}
