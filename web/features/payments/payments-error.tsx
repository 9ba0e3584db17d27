import { errorCodeOf } from "../../api/client/request-error.ts";
import { m } from "../../messages/messages.js";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";

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

/** Only a payment whose outcome is asked for may have been charged already. Other errors have their own message. */
export function unreachableText(error: unknown): string | undefined {
  return errorCodeOf(error) === "payments_unreachable" ? m.pay_outcome_unreachable() : undefined;
}

/** In place of the history, inside its card. */
export function HistoryError(caught: CaughtError) {
  return <LoadError {...caught} isPart title={m.pay_history_failed()} />;
}
