import { m } from "../../messages/messages.js";
import { Pending } from "../../ui/pending.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";

/** While the screen's code loads. */
export function PaymentsPending() {
  return (
    <Screen title={m.pay_title()}>
      <PlanPurchasePending />
    </Screen>
  );
}

/** While the plans, or a payment's outcome, load. */
export function PlanPurchasePending() {
  return (
    <Pending>
      <output className="grid gap-5">
        <span className="sr-only">{m.loading()}</span>
        <Skeleton className="h-5 w-56" />
        <div className="grid grid-cols-2 gap-2 sm:gap-3 lg:grid-cols-4">
          {["a", "b", "c", "d"].map((card) => (
            <Skeleton key={card} className="h-19" />
          ))}
        </div>
        <Skeleton className="h-80" />
      </output>
    </Pending>
  );
}

/** In place of the plans and the checkout. */
export function PlansError(caught: CaughtError) {
  return (
    <div className="card">
      <LoadError {...caught} title={m.pay_plans_failed()} />
    </div>
  );
}

/** In place of a payment's outcome. */
export function OutcomeError(caught: CaughtError) {
  return (
    <div className="card" data-testid="payment-outcome">
      <LoadError {...caught} title={m.pay_outcome_failed()}>
        {unreachableText(caught.error)}
      </LoadError>
    </div>
  );
}

/** Only a payment with an unknown outcome may have been charged already. Other errors have their own message. */
export function unreachableText(error: unknown): string | undefined {
  return errorCodeOf(error) === "payments_unreachable" ? m.pay_outcome_unreachable() : undefined;
}

/** In place of the history, inside its card. */
export function HistoryError(caught: CaughtError) {
  return <LoadError {...caught} isPart title={m.pay_history_failed()} />;
}
