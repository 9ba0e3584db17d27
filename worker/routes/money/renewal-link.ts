import { Hono } from "hono";
import type { RenewalLinkResponse } from "../../contract/money/renewal-link.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { opens } from "../../http/gate/gate.ts";
import { limitAddress } from "../../http/limits/address-limit.ts";
import { byRenewalLink } from "../../http/tokens/owner-link.ts";
import { createCheckoutContext } from "../../payments/checkout.ts";
import { endByLink, toRenewalTerms } from "../../payments/renewals/renewal-consent.ts";

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
