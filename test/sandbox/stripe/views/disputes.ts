import { methodOf, seconds, type Act } from "../act.ts";
import type { Dispute } from "../shapes.ts";
import type { View } from "./view.ts";

/** The price of each dispute, whoever wins it. */
const FEE = 1_500;

export function disputeView(state: Act["state"], dispute: Dispute): View {
  const charge = state.payments.charges.get(dispute.chargeId);
  const brand = charge ? methodOf(state, charge.methodId).brand : "visa";
  return {
    id: dispute.id,
    object: "dispute",
    amount: dispute.amount,
    balance_transactions: dispute.transactions.map(({ at, amount }, index) => ({
      id: dispute.id.replace(/^du_/, `txn_${index + 1}`),
      object: "balance_transaction",
      amount,
      available_on: seconds(at),
      balance_type: "payments",
      created: seconds(at),
      currency: dispute.currency,
      description: amount < 0 ? "Chargeback withdrawal" : "Chargeback reversal",
      exchange_rate: null,
      fee: amount < 0 ? FEE : 0,
      fee_details:
        amount < 0
          ? [
              {
                amount: FEE,
                application: null,
                currency: dispute.currency,
                description: "Dispute fee",
                type: "stripe_fee",
              },
            ]
          : [],
      net: amount < 0 ? amount - FEE : amount,
      reporting_category: amount < 0 ? "dispute" : "dispute_reversal",
      source: dispute.id,
      status: "available",
      type: "adjustment",
    })),
    charge: dispute.chargeId,
    created: seconds(dispute.createdAt),
    currency: dispute.currency,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: {
      due_by: seconds(dispute.createdAt) + 9 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: dispute.intentId,
    payment_method_details: {
      card: { brand, case_type: dispute.caseType, network_reason_code: "83" },
      type: "card",
    },
    reason: dispute.reason,
    status: dispute.status,
  };
}
