import { seconds, type Act } from "../act.ts";
import type { Booking, Refund } from "../shapes.ts";
import { switchesOf } from "../switches.ts";
import { balanceView } from "./charges.ts";
import { disputeView } from "./disputes.ts";
import type { View } from "./view.ts";

type Transaction = View & { id: string; createdAt: number; net: number };

/** Each movement of the balance, oldest first: charges, refunds and failed ones, disputes, fees and payouts. */
export function transactionsOf(state: Act["state"]): Transaction[] {
  const { charges, refunds, disputes, bookings } = state.payments;
  const { booksLate } = switchesOf(state);
  const views = [
    ...charges
      .values()
      .filter(({ balanceTransaction }) => balanceTransaction !== null && !booksLate)
      .map((charge) => balanceView(charge)),
    ...refunds.values().flatMap((refund) => refundTransactions(refund)),
    ...disputes.values().flatMap((dispute) => disputeView(state, dispute)["balance_transactions"] as View[]),
    ...bookings.values().map((booking) => bookingView(booking)),
  ];
  return views
    .map((view) => {
      return {
        ...view,
        id: String(view["id"]),
        createdAt: Number(view["created"]) * 1000,
        net: Number(view["net"]),
      };
    })
    .toSorted((one, other) => one.createdAt - other.createdAt);
}

function refundTransactions(refund: Refund): View[] {
  const id = refund.id.replace(/^re_/, "txn_");
  const taken = movement({ ...refund, id, source: refund.id, type: "refund", amount: -refund.amount });
  if (refund.status !== "failed") return [taken];
  const { amount } = refund;
  return [taken, movement({ ...refund, id: `${id}f`, source: refund.id, type: "refund_failure", amount })];
}

function bookingView(booking: Booking): View {
  return movement(booking);
}

function movement({
  id,
  createdAt,
  currency,
  source,
  type,
  amount,
}: Pick<Booking, "id" | "createdAt" | "currency" | "type" | "amount"> & { source: string | null }): View {
  return {
    id,
    object: "balance_transaction",
    amount,
    available_on: seconds(createdAt),
    balance_type: "payments",
    created: seconds(createdAt),
    currency,
    description: null,
    exchange_rate: null,
    fee: 0,
    fee_details: [],
    net: amount,
    reporting_category: type === "stripe_fee" ? "fee" : type,
    source,
    status: "available",
    type,
  };
}

/** A payout: money of the balance on its way to the bank. */
export function payoutView({ createdAt, currency, amount, source, id }: Booking): View {
  return {
    id: source,
    object: "payout",
    amount: -amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: seconds(createdAt) + 2 * 86_400,
    automatic: true,
    balance_transaction: id,
    created: seconds(createdAt),
    currency,
    description: "STRIPE PAYOUT",
    destination: null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: "standard",
    original_payout: null,
    payout_method: null,
    reconciliation_status: "completed",
    reversed_by: null,
    source_type: "card",
    statement_descriptor: null,
    status: "paid",
    trace_id: null,
    type: "bank_account",
  };
}
