import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { paymentId } from "../../../worker/contract/money/payment-id.ts";
import { receiptQuery } from "../../api/queries/payments.ts";
import { ReceiptError, ReceiptPending } from "../../features/receipts/states.tsx";
import { ReceiptScreen } from "../../features/receipts/receipt-screen.tsx";

/** A payment's receipt. Its address is in the text that follows a payment. */
export const Route = createFileRoute("/flex/receipts/$payment")({
  // A malformed id is requested like an unknown one.
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
