import { Hono } from "hono";
import type { ReceiptLinkResponse } from "../../contract/money/receipt-link.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { opens } from "../../http/gate/gate.ts";
import { limitAddress } from "../../http/limits/address-limit.ts";
import { byReceiptLink } from "../../http/tokens/owner-link.ts";
import { listReceiptsOfDeleted } from "../../payments/receipt.ts";

/** The receipts of an account that was deleted, for whoever has its last text. */
export const receiptLinkRoutes = new Hono<AppEnv>().get(
  "/",
  opens(byReceiptLink),
  limitAddress,
  async (c) => {
    const receipts = await listReceiptsOfDeleted(c.var, c.var.caller.driverId);
    return c.json({ receipts } satisfies ReceiptLinkResponse, 200);
  },
);
