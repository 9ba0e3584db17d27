import type { State } from "../state.ts";
import { malformed } from "./refusal.ts";
import { balanceView, chargeView } from "./views/charges.ts";
import { customerView } from "./views/customers.ts";
import { disputeView } from "./views/disputes.ts";
import { intentView } from "./views/intents.ts";
import { refundView } from "./views/refunds.ts";
import { methodView } from "./views/methods.ts";
import type { View } from "./views/view.ts";

/** The expandable references and their targets. */
function lookUp(state: State): Record<string, (id: string) => View | undefined> {
  const { payments } = state;
  const opened =
    <Row>(find: (id: string) => Row | undefined, view: (row: Row) => View) =>
    (id: string) => {
      const row = find(id);
      return row === undefined ? undefined : view(row);
    };
  const charge = opened(
    (id) => payments.charges.get(id),
    (row) => chargeView(state, row),
  );
  const refund = opened(
    (id) => payments.refunds.get(id),
    (row) => refundView(state, row),
  );
  const dispute = opened(
    (id) => payments.disputes.get(id),
    (row) => disputeView(state, row),
  );
  return {
    customer: opened((id) => payments.customers.get(id), customerView),
    payment_method: opened((id) => payments.methods.get(id), methodView),
    payment_intent: opened(
      (id) => payments.intents.get(id),
      (row) => intentView(state, row),
    ),
    dispute,
    charge,
    source: (id) => charge(id) ?? refund(id) ?? dispute(id),
    latest_charge: charge,
    balance_transaction: opened(
      (id) => payments.charges.values().find(({ balanceTransaction }) => balanceTransaction === id),
      balanceView,
    ),
  };
}

/**
 * Expands the requested references; `data.` applies to the rows of a list.
 * @throws {StripeRefusal} if a reference can't be expanded
 */
export function expand(state: State, view: View, paths: readonly string[]): View {
  const lookups = lookUp(state);
  const open = (place: View, [name = "", ...rest]: string[], path: string): View => {
    const value = place[name];
    if (name === "data" && Array.isArray(value) && rest.length > 0)
      return { ...place, data: value.map((row: View) => open(row, rest, path)) };
    const find = lookups[name];
    if (!find || !(name in place)) {
      throw malformed(`This property cannot be expanded (${path}).`, { param: "expand" });
    }
    if (value === null) return place;
    const found = typeof value === "string" ? find(value) : (value as View);
    if (!found) return place;
    return { ...place, [name]: rest.length > 0 ? open(found, rest, path) : found };
  };
  return paths.reduce((opened, path) => open(opened, path.split("."), path), view);
}
