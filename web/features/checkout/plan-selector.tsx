import { useNavigate } from "@tanstack/react-router";
import { Ticket } from "lucide-react";
import { useId } from "react";
import type { PlansResponse, PricedPlan } from "../../../worker/contract/money/payments.ts";
import type { PlanForSale } from "../../../db/shapes/money/plans.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { useNow } from "../../ui/use-now.ts";
import { formatDays, formatExactMoney, formatUntil } from "../language/format.ts";
import { DISCOUNT_LABELS } from "../payments/payment-labels.ts";

/** The plans side by side, each with its price per day. The selected one is a search parameter. */
export function PlanSelector({
  chosen,
  plansResponse,
  timeZone,
}: {
  chosen: PlanForSale;
  plansResponse: PlansResponse;
  timeZone: string;
}) {
  const group = useId();
  const now = useNow(MINUTE_MS);
  const navigate = useNavigate({ from: "/flex/payments" });
  const { raffle } = plansResponse;
  return (
    <fieldset className="lg:col-span-2">
      <legend className="sr-only">{m.pay_choose_plan()}</legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.25rem),1fr))] gap-2 sm:gap-3">
        {plansResponse.plans.map((plan) => (
          <label
            key={plan.plan}
            className="card relative grid content-start gap-0.5 p-3 sm:p-4 has-checked:border-ink has-checked:outline-2 has-checked:outline-ink has-focus-visible:outline-3 has-focus-visible:outline-(--focus)"
          >
            <span className="flex flex-wrap items-baseline justify-between gap-x-2">
              <span className="font-display text-lg leading-tight font-semibold">
                {formatDays(plan.days)}
              </span>
              <Price plan={plan} currency={plansResponse.currency} />
            </span>
            <span className="flex items-center justify-between gap-2">
              <span className="figures text-sm text-soft">
                {m.pay_per_day({ money: formatExactMoney(plan.perDayCents, plansResponse.currency) })}
              </span>
              <input
                type="radio"
                name={group}
                // Of no form: Enter must not pay.
                form=""
                checked={plan.plan === chosen}
                onChange={() =>
                  void navigate({ search: { plan: plan.plan }, replace: true, resetScroll: false })
                }
                className="size-4.5 shrink-0 accent-ink outline-none"
              />
            </span>
            {plan.discount && (
              <span className="mt-1 text-sm font-semibold text-good">
                {DISCOUNT_LABELS[plan.discount.kind]()}{" "}
                <span className="figures font-normal">
                  {m.pay_until({ until: formatUntil(plan.discount.endsAt, { timeZone, now }) })}
                </span>
              </span>
            )}
            {raffle?.plan === plan.plan && (
              <span className="mt-1 flex gap-1.5 text-sm">
                <Ticket aria-hidden className="mt-0.5 size-4 shrink-0" />
                {m.pay_raffle_hint({ until: formatUntil(raffle.endsAt, { timeZone, now }) })}
              </span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Price({ plan, currency }: { plan: PricedPlan; currency: string }) {
  const now = formatExactMoney(plan.payCents, currency);
  if (!plan.discount) return <span className="figures text-base font-semibold">{now}</span>;
  return (
    <span className="figures flex flex-wrap items-baseline gap-x-2">
      <span className="text-base font-semibold">
        <span className="sr-only">{m.pay_price_now()} </span>
        {now}
      </span>
      <s className="text-sm text-soft">
        <span className="sr-only">{m.pay_price_before()} </span>
        {formatExactMoney(plan.priceCents, currency)}
      </s>
    </span>
  );
}
