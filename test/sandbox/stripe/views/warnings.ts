import { seconds, type Act } from "../act.ts";
import type { Warning } from "../shapes.ts";
import type { View } from "./view.ts";

export function warningView(state: Act["state"], warning: Warning): View {
  const charge = state.payments.charges.get(warning.chargeId);
  const isRefunded = charge?.refundedAmount === charge?.amount;
  return {
    id: warning.id,
    object: "radar.early_fraud_warning",
    actionable: charge !== undefined && charge.disputeId === null && !isRefunded,
    charge: warning.chargeId,
    created: seconds(warning.createdAt),
    fraud_type: warning.fraudType,
    livemode: false,
    payment_intent: warning.intentId,
  };
}
