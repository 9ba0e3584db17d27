import * as z from "zod/mini";
import type { ApiRoute } from "../api-route.ts";
import { receipt } from "./payments.ts";

/** GET /flex/v1/receipt-link: the receipts of an account that was deleted, newest first. The driver's name is erased. */
export const receiptLinkResponse = z.object({ receipts: z.array(receipt) });
export type ReceiptLinkResponse = z.infer<typeof receiptLinkResponse>;

/** The link in the last text of an account. */
export const RECEIPT_LINK_ROUTES = {
  "GET /flex/v1/receipt-link": {
    summary: "The receipts of an account that was deleted, by the link in its last text.",
    auth: "owner_link",
    responses: { 200: receiptLinkResponse },
    errors: ["undo_expired"],
  },
} as const satisfies Record<string, ApiRoute>;
