import { Link } from "@tanstack/react-router";
import { Ticket } from "lucide-react";
import type { ReactNode } from "react";
import type { PlanForSale } from "../../../db/shapes/money/plans.ts";
import { factToken } from "../../../worker/contract/served-cases.ts";
import { m } from "../../messages/messages.js";
import { Skeleton } from "../../ui/skeleton.tsx";
import { DISCOUNT_LABELS } from "../payments/payment-labels.ts";

type Sale = { before: string; label: string; until: string };

/** A plan's price now, and a day's of it. All as it is read. */
export function PlanPrice({ price, perDay, sale }: { price: string; perDay: string; sale: Sale | null }) {
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
export function PriceSkeleton() {
  return (
    <>
      <Skeleton className="my-1 h-6 w-24" />
      <p className="min-h-5" />
    </>
  );
}

/** A plan's price in each form that the Worker may serve. */
export function planCases(plan: PlanForSale): Record<string, ReactNode> {
  const figures = { price: factToken(`price-${plan}`), perDay: factToken(`day-${plan}`) };
  const sale = {
    before: factToken(`before-${plan}`),
    label: DISCOUNT_LABELS.flash_sale(),
    until: factToken(`until-${plan}`),
  };
  return { plain: <PlanPrice {...figures} sale={null} />, sale: <PlanPrice {...figures} sale={sale} /> };
}

/** The raffle that a full payment of the plan enters. */
export function RaffleHint({ id, until }: { id: string; until: string }) {
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
export function raffleCases(plan: PlanForSale): Record<string, ReactNode> {
  return { open: <RaffleHint id={factToken("raffle")} until={factToken(`raffle-until-${plan}`)} /> };
}
