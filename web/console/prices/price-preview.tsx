import { useQuery } from "@tanstack/react-query";
import type { PlanForSale } from "../../../db/shapes/money/plans.ts";
import { DAY_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { PricesResponse } from "../../../worker/contract/console/operator-deployment.ts";
import { DEVICE_TIME_ZONE, formatExactMoney, formatTime } from "../../features/language/format.ts";
import { formatPlan } from "../../features/payments/payment-labels.ts";
import { useNow } from "../../ui/use-now.ts";
import type { ActInput } from "../acts/act-form.ts";
import { parseAmount, parseChange } from "../forms/typed-values.ts";
import { pricesQuery } from "../calls/deployment.ts";
import { m } from "../messages/messages.js";
import { useOperator } from "../calls/operator.ts";

/** A plan's price now and for a while, as drivers will see it; nothing until one is typed. */
export function SalePreview({
  prices,
  plan,
  priceCents,
  startsAt,
  endsAt,
  now,
}: {
  prices: PricesResponse["prices"];
  plan: PlanForSale;
  priceCents: number | null;
  startsAt: number | null;
  endsAt: number | null;
  now: number;
}) {
  const { currency } = useOperator();
  const list = prices.find((price) => price.plan === plan);
  if (!list || priceCents === null || startsAt === null || endsAt === null) return null;
  const time = (at: number) => formatTime(at, { timeZone: DEVICE_TIME_ZONE, now });
  return (
    <output className="figures block text-sm">
      {m.preview_sale({
        plan: formatPlan(plan),
        before: formatExactMoney(list.priceCents, currency),
        after: formatExactMoney(priceCents, currency),
        from: time(startsAt),
        until: time(endsAt),
      })}
    </output>
  );
}

/** The same for a price of one driver's own, which begins at once. */
export function PricePreview({ input: { plan, figure, forDays } }: { input: ActInput }) {
  const now = useNow(MINUTE_MS);
  const { data } = useQuery(pricesQuery);
  const days = parseChange(forDays);
  return (
    <SalePreview
      {...{ plan, now }}
      prices={data?.prices ?? []}
      priceCents={parseAmount(figure)}
      startsAt={now}
      endsAt={days === null ? null : now + days * DAY_MS}
    />
  );
}
