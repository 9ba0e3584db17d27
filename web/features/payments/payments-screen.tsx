import { useRouterState } from "@tanstack/react-router";
import { Suspense, useState, type ReactNode } from "react";
import { lazyOptional } from "../../ui/lazy-optional.ts";
import { m } from "../../messages/messages.js";
import { SETTLED_CLASS, Skeleton } from "../../ui/skeleton.tsx";
import { Screen } from "../../ui/screen.tsx";
import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { Receipt } from "lucide-react";
import type { Payment } from "../../../worker/contract/money/payments.ts";
import { paymentHistoryQuery } from "../../api/queries/payments.ts";
import { MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/notices.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { useNow } from "../../ui/use-now.ts";
import { Sheet } from "../../ui/sheet.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { formatExactMoney } from "../language/format.ts";
import { formatInstant } from "../language/format-instant.ts";
import { PriceLines, TotalLine, ReceiptLink } from "./price-lines.tsx";
import { LoadBoundary } from "../errors/load-error.tsx";
import { useStartStep } from "../start/use-start-step.ts";
import { useUser } from "../session/use-user.ts";
import { describeMoneyBack, formatPlan, paymentLabel } from "./payment-labels.ts";
import { PauseCard } from "./pause-card.tsx";
import { HistoryError } from "./states.tsx";

const TONES = { good: "text-good", warn: "text-warn", bad: "text-bad", soft: "text-soft" } as const;

/** Few drivers have such days. Where it can't be fetched, the end of service has them all the same. */
const LostDays = lazyOptional(async () => (await import("./lost-days.tsx")).LostDays);

/** The frame around buying a plan or a payment's outcome, with the payment history below. */
export function PaymentsScreen({ children }: { children: ReactNode }) {
  const isStep = useStartStep()?.step === "days";
  // The content above takes its final height first.
  const isFirstLoad = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation === undefined });
  return (
    <Screen title={isStep ? m.start_title_days() : m.pay_title()}>
      <div className="peer grid grid-cols-1 gap-4">{children}</div>
      <div className={`grid grid-cols-1 gap-8 ${isFirstLoad ? "invisible" : SETTLED_CLASS}`}>
        <PaymentHistory />
        <PauseCard />
        <Suspense fallback={null}>
          <LostDays />
        </Suspense>
      </div>
    </Screen>
  );
}

/** Past payments, newest first; a tap opens the receipt. */
function PaymentHistory() {
  const [selected, setSelected] = useState<Payment | null>(null);
  return (
    <TitledSection id="pay-history" title={m.pay_history()}>
      <div className="card overflow-hidden">
        <LoadBoundary skeleton={<Skeleton className="m-4 h-32" />} errorComponent={HistoryError}>
          <PaymentList onOpen={setSelected} />
        </LoadBoundary>
      </div>
      <ReceiptSheet payment={selected} onClose={() => setSelected(null)} />
    </TitledSection>
  );
}

function PaymentList({ onOpen }: { onOpen: (payment: Payment) => void }) {
  const history = useSuspenseInfiniteQuery(paymentHistoryQuery);
  const { humanTimezone: timeZone } = useUser();
  const now = useNow(MINUTE_MS);
  const payments = history.data.pages.flatMap((page) => page.items);
  if (payments.length === 0) {
    return (
      <StatusPanel Icon={Receipt} title={m.pay_history_empty()}>
        {m.pay_history_empty_text()}
      </StatusPanel>
    );
  }
  return (
    <>
      <ul>
        {payments.map((payment) => (
          <li key={payment.id} className="border-b border-line last:border-b-0">
            <PaymentRow payment={payment} timeZone={timeZone} now={now} onOpen={() => onOpen(payment)} />
          </li>
        ))}
      </ul>
      {history.isFetchNextPageError && (
        <div className="border-t border-line p-4">
          <FormError title={m.pay_history_failed()} hint={errorMessage(history.error)} />
        </div>
      )}
      {history.hasNextPage && (
        <div className="grid justify-items-center border-t border-line p-2">
          <Button
            variant="quiet"
            aria-disabled={history.isFetchingNextPage}
            onClick={() => history.isFetchingNextPage || void history.fetchNextPage()}
          >
            {history.isFetchingNextPage ? m.loading() : m.pay_history_more()}
          </Button>
        </div>
      )}
    </>
  );
}

function PaymentRow({
  payment,
  timeZone,
  now,
  onOpen,
}: {
  payment: Payment;
  timeZone: string;
  now: EpochMs;
  onOpen: () => void;
}) {
  const { name, tone } = paymentLabel(payment);
  return (
    <button
      type="button"
      onClick={onOpen}
      className="figures grid min-h-16 w-full grid-cols-[1fr_auto] items-center gap-x-3 px-4 py-2.5 text-left hover:bg-sunken"
    >
      <span className="font-semibold">{formatPlan(payment.plan)}</span>
      <span className="text-right font-semibold">
        {formatExactMoney(payment.totalCents, payment.currency)}
      </span>
      <span className="text-sm text-soft">{formatInstant(payment.at, { timeZone, now })}</span>
      <span className={`text-right text-sm font-semibold ${TONES[tone]}`}>{name()}</span>
    </button>
  );
}

function ReceiptSheet({ payment, onClose }: { payment: Payment | null; onClose: () => void }) {
  const { humanTimezone: timeZone } = useUser();
  const now = useNow(MINUTE_MS);
  return (
    <Sheet
      open={payment !== null}
      onClose={onClose}
      title={payment ? formatPlan(payment.plan) : m.pay_receipt()}
    >
      {payment && (
        <div className="grid gap-4">
          <p className="figures text-soft">
            {formatInstant(payment.at, { timeZone, now })}
            <span className={`ml-2 font-semibold ${TONES[paymentLabel(payment).tone]}`}>
              {paymentLabel(payment).name()}
            </span>
          </p>
          <PriceLines price={payment}>
            <TotalLine>{formatExactMoney(payment.totalCents, payment.currency)}</TotalLine>
          </PriceLines>
          {describeMoneyBack(payment).map((sentence) => (
            <p key={sentence} className="figures text-sm">
              {sentence}
            </p>
          ))}
          <ReceiptLink payment={payment} />
        </div>
      )}
    </Sheet>
  );
}
