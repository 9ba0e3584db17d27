import type { PaymentRow } from "../../db/queries/payments/payments.ts";
import { settlePayment } from "../../worker/payments/settlement.ts";
import type { CardPayment } from "../../worker/payments/card-payment.ts";
import { NOW, openPayment, paidCard, type Ledgers } from "./ledgers.ts";

/** A payment that was begun. */
export const start = openPayment();

/** Our copy's present gap. */
export const lacks = (ledgers: Ledgers, card: Partial<CardPayment>, now = NOW) =>
  settlePayment(ledgers.payment, { ledger: ledgers, card: paidCard(ledgers, card) }, now);
/** The same ledgers, with another row of the payment. */
export const withRow = (row: Partial<PaymentRow>, ledgers = start): Ledgers => ({
  ...ledgers,
  payment: { ...ledgers.payment, ...row },
});
