import { useQuery } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { CreditCard } from "lucide-react";
import { lazy, Suspense } from "react";
import type { PlansAnswer, PlanForSale, Quote } from "../../../worker/contract/payments.ts";
import { quoteQuery } from "../../api/payments.ts";
import { configQuery } from "../../api/queries.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { sayCount, sayDateTime } from "../language/format.ts";
import { sayProblem } from "../language/problem-words.ts";
import { Breakdown } from "./breakdown.tsx";
import { PointsSlider } from "./points-slider.tsx";
import { pointsStore } from "./points-store.ts";
import { usePay } from "./use-pay.ts";
import { useRested } from "./use-rested.ts";
import { useTimeZone } from "./use-time-zone.ts";

const CardForm = lazy(async () => ({ default: (await import("./card-form.tsx")).CardForm }));

/** Points, the receipt, what the driver will have, and the card. */
export function Checkout({ plan, answer }: { plan: PlanForSale; answer: PlansAnswer }) {
  const timeZone = useTimeZone();
  const wanted = useSelector(pointsStore);
  const most = Math.min(answer.points, pointsCostOf(plan, answer));
  const points = Math.min(wanted, most);
  const asked = useRested(points);
  const { data: quote, error, isPlaceholderData, refetch } = useQuery(quoteQuery({ plan, points: asked }));
  const isOld = isPlaceholderData || asked !== points;
  return (
    <section aria-labelledby="pay-receipt" className="card grid gap-5 p-5 lg:grid-cols-2 lg:gap-8">
      <div className="grid content-start gap-4">
        <h2 id="pay-receipt" className="text-lg">
          {m.pay_receipt()}
        </h2>
        <PointsSlider
          balance={answer.points}
          most={most}
          chosen={points}
          onChange={(chosen) => pointsStore.setState(() => chosen)}
        />
        {error && !quote && (
          <>
            <Problem title={m.pay_prepare_failed()} hint={sayProblem(error)} />
            <Button onClick={() => void refetch()}>{m.try_again()}</Button>
          </>
        )}
        {!quote && !error && <Skeleton className="h-36" />}
        {quote && (
          <>
            <Breakdown parts={{ ...quote, cutKind: quote.cut?.kind ?? null }} isOld={isOld} />
            <p className="rounded-field bg-sunken px-4 py-3 font-semibold" aria-live="polite">
              {m.pay_service_until({ time: sayDateTime(quote.serviceUntil, timeZone) })}
            </p>
            {quote.entersRaffle && <p className="text-sm text-soft">{m.pay_enters_raffle()}</p>}
          </>
        )}
      </div>
      <div className="grid content-start gap-4">
        <h2 className="text-lg">{m.pay_with()}</h2>
        {quote ? <Paying quote={quote} isOld={isOld} answer={answer} /> : <Skeleton className="h-56" />}
      </div>
    </section>
  );
}

function Paying({ quote, isOld, answer }: { quote: Quote; isOld: boolean; answer: PlansAnswer }) {
  const { cardsReady, lastPaymentId } = answer;
  const publishableKey = useQuery(configQuery).data?.stripePublishableKey ?? null;
  if (quote.totalCents === 0)
    return <PayByPoints quote={quote} isOld={isOld} lastPaymentId={lastPaymentId} />;
  if (!cardsReady || publishableKey === null) {
    return (
      <Notice Icon={CreditCard} title={m.pay_cards_unready()}>
        {m.pay_cards_unready_text()}
      </Notice>
    );
  }
  return (
    <Suspense fallback={<Skeleton className="h-56" />}>
      <CardForm quote={quote} isOld={isOld} lastPaymentId={lastPaymentId} publishableKey={publishableKey} />
    </Suspense>
  );
}

function PayByPoints({
  quote,
  isOld,
  lastPaymentId,
}: {
  quote: Quote;
  isOld: boolean;
  lastPaymentId: string | null;
}) {
  const { pay, isPaying, failure } = usePay(quote, lastPaymentId);
  return (
    <div className="grid gap-4">
      <p className="text-soft">{m.pay_points_cover()}</p>
      {failure && <Problem title={failure.title} hint={failure.hint} />}
      <Button look="primary" disabled={isPaying || isOld} onClick={() => void pay(null)}>
        {isPaying ? m.pay_paying() : m.pay_button_points({ points: sayCount(quote.points) })}
      </Button>
    </div>
  );
}

function pointsCostOf(plan: PlanForSale, { plans }: PlansAnswer): number {
  return plans.find((priced) => priced.plan === plan)?.pointsCost ?? 0;
}
