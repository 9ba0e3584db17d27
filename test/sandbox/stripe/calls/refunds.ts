import { intentOf, type Act } from "../act.ts";
import { expand } from "../expand.ts";
import { readParams } from "../form.ts";
import { malformed, missing, refuse } from "../refusal.ts";
import { refundCharge } from "../refunds.ts";
import type { Charge } from "../shapes.ts";
import { refundView } from "../views/refunds.ts";
import { EXPAND, REASONS, type Call } from "./call.ts";
import { listOfCharge } from "./of-charge.ts";

export const REFUND_CALLS = {
  createRefund(act, params) {
    const given = readParams(
      {
        ...EXPAND,
        payment_intent: "string",
        charge: "string",
        amount: "integer",
        reason: REASONS,
        metadata: "metadata",
      },
      params,
    );
    const refund = refundCharge(act, chargeToRefund(act, given), given);
    return expand(act.state, refundView(act.state, refund), given.expand ?? []);
  },

  listRefunds(act, params) {
    return listOfCharge(act, params, {
      rows: act.state.payments.refunds.values(),
      url: "/v1/refunds",
      kind: "refund",
      view: (row) => refundView(act.state, row),
    });
  },

  readRefund(act, params, id) {
    const { expand: paths = [] } = readParams(EXPAND, params);
    const refund = act.state.payments.refunds.get(id);
    if (!refund) throw missing("refund", id);
    return expand(act.state, refundView(act.state, refund), paths);
  },
} satisfies Record<string, Call>;

function chargeToRefund(
  { state }: Act,
  given: { payment_intent?: string | undefined; charge?: string | undefined },
): Charge {
  if (given.charge !== undefined) {
    const charge = state.payments.charges.get(given.charge);
    if (!charge) throw missing("charge", given.charge, "charge");
    return charge;
  }
  if (given.payment_intent === undefined) {
    throw malformed(
      "One of the following params should be provided for this request: payment_intent or charge.",
      {
        code: "parameter_missing",
      },
    );
  }
  const intent = intentOf(state, given.payment_intent, "payment_intent");
  const charge = state.payments.charges.get(intent.latestCharge ?? "");
  if (intent.status !== "succeeded" || !charge)
    throw refuse(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`);
  return charge;
}
