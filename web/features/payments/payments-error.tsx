import { errorCodeOf } from "../../api/request-error.ts";
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
        {isUnreachable(caught.error) ? m.pay_outcome_unreachable() : undefined}
      </LoadError>
    </div>
  );
}

/** Only here may something have been charged already. */
const isUnreachable = (error: unknown) => errorCodeOf(error) === "payments_unreachable";

/** In place of the history, inside its card. */
export function HistoryError(caught: CaughtError) {
  return <LoadError {...caught} isPart title={m.pay_history_failed()} />;
}
