import { seconds, type Act } from "../act.ts";
import type { Refund } from "../shapes.ts";
import type { View } from "./view.ts";

export function refundView(state: Act["state"], refund: Refund): View {
  const charge = state.payments.charges.get(refund.chargeId);
  return {
    id: refund.id,
    object: "refund",
    amount: refund.amount,
    balance_transaction: refund.id.replace(/^re_/, "txn_"),
    charge: refund.chargeId,
    created: seconds(refund.createdAt),
    currency: refund.currency,
    customer: charge?.customer ?? null,
    customer_account: null,
    destination_details: {
      card: { reference_status: "pending", reference_type: "acquirer_reference_number", type: "refund" },
      type: "card",
    },
    ...(refund.status === "failed" ? { failure_reason: "expired_or_canceled_card" } : {}),
    metadata: refund.metadata,
    payment_intent: refund.intentId,
    payment_method: charge?.methodId ?? null,
    ...(refund.status === "pending" ? { pending_reason: "processing" } : {}),
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
  };
}
