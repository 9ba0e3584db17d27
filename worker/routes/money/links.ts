import { Hono } from "hono";
import type { RenewalLinkResponse } from "../../contract/money/renewal-link.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { opens } from "../../http/gate/gate.ts";
import { limitAddress } from "../../http/rate-limiter.ts";
import { byRenewalLink, byReceiptLink } from "../../http/tokens/owner-link.ts";
import { createCheckoutContext } from "../../payments/checkout.ts";
import { endByLink, toRenewalTerms } from "../../payments/renewals/renewal-consent.ts";
import type { ReceiptLinkResponse } from "../../contract/money/receipt-link.ts";
import { listReceiptsOfDeleted } from "../../payments/receipt.ts";

/** The effect of the link that turns a renewal off without signing in. */
export const renewalLinkRoutes = new Hono<AppEnv>()
  .get("/", opens(byRenewalLink), limitAddress, (c) => {
    const { consent } = c.var;
    return c.json(
      { ...toRenewalTerms(consent), language: consent.language } satisfies RenewalLinkResponse,
      200,
    );
  })
  .post("/", opens(byRenewalLink), limitAddress, async (c) => {
    const checkout = createCheckoutContext({ deps: c.var.deps, db: c.var.db });
    if (!(await endByLink(checkout, c.var.consent))) throw new ApiError("undo_expired");
    return c.body(null, 204);
  });

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
