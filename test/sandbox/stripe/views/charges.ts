import { methodOf, seconds, type Act } from "../act.ts";
import type { Charge } from "../shapes.ts";
import { switchesOf } from "../switches.ts";
import { billingView } from "./methods.ts";
import type { View } from "./view.ts";

export function chargeView(state: Act["state"], charge: Charge): View {
  const method = methodOf(state, charge.methodId);
  const { decline } = charge;
  const paid = decline === null;
  return {
    id: charge.id,
    object: "charge",
    amount: charge.amount,
    amount_captured: paid ? charge.amount : 0,
    amount_refunded: charge.refundedAmount,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: switchesOf(state).booksLate ? null : charge.balanceTransaction,
    billing_details: billingView(method),
    calculated_statement_descriptor: "SANDBOX",
    captured: paid,
    created: seconds(charge.createdAt),
    currency: charge.currency,
    customer: charge.customer,
    description: charge.description,
    disputed: charge.disputeId !== null,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: charge.metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: paid ? "approved_by_network" : "declined_by_network",
      reason: decline === null ? null : (decline.declineCode ?? decline.code),
      risk_level: "normal",
      risk_score: 20,
      seller_message: paid
        ? "Payment complete."
        : "The bank did not return any further details with this decline.",
      type: paid ? "authorized" : "issuer_declined",
    },
    paid,
    payment_intent: charge.intentId,
    payment_method: charge.methodId,
    payment_method_details: {
      card: {
        amount_authorized: paid ? charge.amount : null,
        authorization_code: paid ? charge.id.slice(-6) : null,
        brand: method.brand,
        checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
        country: method.country,
        exp_month: method.expMonth,
        exp_year: method.expYear,
        fingerprint: method.fingerprint,
        funding: method.funding,
        installments: null,
        last4: method.last4,
        mandate: null,
        network: method.brand,
        network_transaction_id: charge.id.slice(-12),
        three_d_secure: charge.threeDSecure
          ? {
              authentication_flow: "challenge",
              result: "authenticated",
              result_reason: null,
              version: "2.2.0",
            }
          : null,
        wallet: null,
      },
      type: "card",
    },
    receipt_email: charge.receiptEmail,
    receipt_number: null,
    receipt_url: paid ? charge.receiptUrl : null,
    refunded: paid && charge.refundedAmount === charge.amount,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: paid ? "succeeded" : "failed",
    transfer_data: null,
    transfer_group: null,
  };
}

/** Stripe's fee for US cards: 2.9 % and 30 cents. */
export function balanceView(charge: Charge): View {
  const fee = Math.round(charge.amount * 0.029) + 30;
  return {
    id: charge.balanceTransaction,
    object: "balance_transaction",
    amount: charge.amount,
    available_on: seconds(charge.createdAt) + 2 * 86_400,
    balance_type: "payments",
    created: seconds(charge.createdAt),
    currency: charge.currency,
    description: charge.description,
    exchange_rate: null,
    fee,
    fee_details: [
      {
        amount: fee,
        application: null,
        currency: charge.currency,
        description: "Stripe processing fees",
        type: "stripe_fee",
      },
    ],
    net: charge.amount - fee,
    reporting_category: "charge",
    source: charge.id,
    status: "pending",
    type: "charge",
  };
}
