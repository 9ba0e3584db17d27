import { Link } from "@tanstack/react-router";
import type { Payment } from "../../../worker/contract/money/payments.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";

/** Opens a payment's receipt, if it has one. */
export function ReceiptLink({ payment }: { payment: Pick<Payment, "id" | "receiptNumber"> }) {
  if (payment.receiptNumber === null) return null;
  return (
    <Link to="/flex/receipts/$payment" params={{ payment: payment.id }} className={buttonClass("plain")}>
      {m.pay_receipt_open()}
    </Link>
  );
}
