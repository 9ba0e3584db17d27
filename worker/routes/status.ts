import { Hono } from "hono";
import { VERSION } from "../../durable/runtime/version.ts";
import type { Health, PublicConfig } from "../contract/status.ts";
import { inviterParams } from "../contract/money/invitations.ts";
import { raffleParams } from "../contract/money/raffles.ts";
import { ApiError } from "../http/errors/api-error.ts";
import { validate } from "../http/validate.ts";
import { describeRaffle } from "../payments/raffles.ts";
import type { AppEnv } from "../http/app-env.ts";
import { openApiDocument } from "../http/openapi.ts";
import { arePaymentsDegraded } from "../payments/stripe/key-health.ts";
import { listPublicPlans, loadPublicPrices } from "../payments/prices/plans.ts";
import { describeInviter } from "../rewards/invite.ts";
import { loadPlatformHealth } from "../cities/public-health.ts";
import { loadPublicSpots } from "../cities/spots.ts";
import { issueSeal } from "../http/sealed-body.ts";

/** Public: health, the page's config, spots, the platform in each city, raffles, inviters and the OpenAPI document. */
export const statusRoutes = new Hono<AppEnv>()
  .get("/health", async (c) => {
    const { id, key } = await issueSeal(c.var.deps.keys, c.var.deps.now());
    c.header("x-amz-cf-id", id);
    c.header("x-amz-version-id", key);
    const [state, arePaymentsAffected] = await Promise.all([c.var.health(), arePaymentsDegraded(c.var.deps)]);
    const degraded = [...(arePaymentsAffected ? ["payments" as const] : []), ...state.degraded];
    const health: Health = {
      ok: true,
      version: VERSION,
      now: c.var.deps.now(),
      ...(degraded.length > 0 ? { degraded } : {}),
      ...(state.alsoDegraded.length > 0 ? { alsoDegraded: state.alsoDegraded } : {}),
      ...(Object.keys(state.reasons).length > 0 ? { reasons: state.reasons } : {}),
      ...(Object.keys(state.olderKeys).length > 0 ? { olderKeys: state.olderKeys } : {}),
      ...(Object.keys(state.lastCron).length > 0 ? { lastCron: state.lastCron } : {}),
    };
    return c.json(health, 200);
  })
  .get("/config", async (c) => {
    const { config } = c.var.deps;
    const { endpoint, poolId, clientId } = config.identity;
    const response: PublicConfig = {
      productName: config.productName,
      publicUrl: config.publicUrl,
      currency: config.currency,
      identity: { endpoint, poolId, clientId },
      turnstile: config.turnstile && {
        siteKey: config.turnstile.siteKey,
        scriptUrl: `${config.turnstile.url}/turnstile/v0/api.js?render=explicit`,
      },
      stripePublishableKey: config.stripePublishableKey,
      planPrices: await loadPublicPrices(c.var.deps),
      vapidPublicKey: config.vapid?.publicKey ?? null,
      support: config.support,
      // Only the server knows the number that it is hidden from: GET /flex/v1/user/chat.
      chat: config.chat?.isShown ? { url: config.chat.url, token: config.chat.token } : null,
      recording: config.recording && { scriptUrl: config.recording.scriptUrl, tag: config.recording.tag },
      legacyUrl: config.legacyUrl,
      giveBack: config.giveBack,
      daysBackMinutes: config.daysBackMinutes,
      termsDate: config.termsDate,
    };
    return c.json(response, 200);
  })
  .get("/spots", async (c) =>
    c.json(await loadPublicSpots(c.var.deps), 200, { "cache-control": "public, max-age=60" }),
  )
  .get("/platform", async (c) => {
    const platform = await loadPlatformHealth(c.var.deps);
    if (!platform) throw new ApiError("internal");
    return c.json(platform, 200, { "cache-control": "public, max-age=60" });
  })
  .get("/plans", async (c) => {
    const plans = await listPublicPlans(c.var.deps);
    if (!plans) throw new ApiError("internal");
    return c.json(plans, 200, { "cache-control": "public, max-age=60" });
  })
  .get("/raffles/:id", validate("param", raffleParams), async (c) => {
    const raffle = await describeRaffle(c.var.deps.db, c.req.valid("param").id);
    if (!raffle) throw new ApiError("not_found");
    return c.json(raffle, 200, { "cache-control": "public, max-age=60" });
  })
  .get("/inviters/:referral", validate("param", inviterParams), async (c) =>
    c.json(await describeInviter(c.var.deps, c.req.valid("param").referral), 200, {
      "cache-control": "public, max-age=60",
    }),
  )
  .get("/openapi.json", (c) => {
    const { productName, publicUrl } = c.var.deps.config;
    return c.json(openApiDocument({ productName, publicUrl, version: VERSION }), 200, {
      "cache-control": "public, max-age=300",
    });
  });
