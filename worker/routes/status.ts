import { Hono } from "hono";
import { VERSION } from "../../durable/runtime/version.ts";
import type { Health, PublicConfig } from "../contract/status.ts";
import type { AppEnv } from "../http/app-env.ts";
import { openApiDocument } from "../http/openapi.ts";
import { issueSeal } from "../http/sealed-body.ts";

/** Public: health, the page's config and the OpenAPI document. */
export const statusRoutes = new Hono<AppEnv>()
  .get("/health", async (c) => {
    const { id, key } = await issueSeal(c.var.deps.keys, c.var.deps.now());
    c.header("x-amz-cf-id", id);
    c.header("x-amz-version-id", key);
    c.header("cache-control", "no-store");
    return c.json({ ok: true, version: VERSION } satisfies Health, 200);
  })
  .get("/config", (c) => {
    const { config } = c.var.deps;
    const { endpoint, poolId, clientId } = config.identity;
    const response: PublicConfig = {
      productName: config.productName,
      publicUrl: config.publicUrl,
      currency: config.currency,
      identity: { endpoint, poolId, clientId },
      stripePublishableKey: config.stripePublishableKey,
      vapidPublicKey: config.vapid?.publicKey ?? null,
      support: config.support,
      chat: null,
      recording: null,
      legacyUrl: config.legacyUrl,
    };
    return c.json(response, 200);
  })
  .get("/openapi.json", (c) => {
    const { productName, publicUrl } = c.var.deps.config;
    return c.json(openApiDocument({ productName, publicUrl, version: VERSION }), 200, {
      "cache-control": "public, max-age=300",
    });
  });
