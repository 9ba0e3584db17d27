import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { paymentId } from "../../../../worker/contract/money/payment-id.ts";
import { receiptQuery } from "../../../api/queries/payments.ts";
import { ReceiptError } from "../../../features/receipts/receipt-error.tsx";
import { ReceiptPending } from "../../../features/receipts/receipt-skeleton.tsx";
import { ReceiptScreen } from "../../../features/receipts/receipt-screen.tsx";

/** A payment's receipt. Its address is in the text that follows a payment. */
export const Route = createFileRoute("/flex/receipts/$payment")({
  // What is no id is asked for as one that nobody has.
  params: { parse: ({ payment }) => ({ payment: z.safeParse(paymentId, payment).data ?? "none" }) },
  loader: async ({ context: { queryClient }, params: { payment } }) => {
    await queryClient.ensureQueryData(receiptQuery(payment));
  },
  pendingComponent: ReceiptPending,
  errorComponent: ReceiptError,
  component: Receipt,
});

function Receipt() {
  return <ReceiptScreen payment={Route.useParams().payment} />;
}
