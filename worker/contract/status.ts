import * as z from "zod/mini";

/** Something that doesn't work as it should: its name, the class of the reason, and since when (epoch ms). */
const degradation = z.object({ name: z.string(), reason: z.string(), since: z.nullable(z.number()) });
export type Degradation = z.infer<typeof degradation>;

/**
 * GET /status/health. Its headers `x-amz-version-id` and `x-amz-cf-id` carry the sealing key and its id. `ok` says that
 * the service answers; `degraded` is empty while all of it works.
 */
export const health = z.object({
  ok: z.boolean(),
  version: z.string(),
  degraded: z.array(degradation),
  /** What is still sealed under master keys that are not current, by the key's id. */
  olderKeys: z.record(z.string(), z.number()),
});
export type Health = z.infer<typeof health>;

/** GET /status/config: what the page must know of this deployment. What is null is not set, and not shown. */
export const publicConfig = z.object({
  productName: z.string(),
  publicUrl: z.string(),
  currency: z.string(),
  identity: z.object({ endpoint: z.string(), poolId: z.string(), clientId: z.string() }),
  stripePublishableKey: z.nullable(z.string()),
  /** For `PushManager.subscribe`; null where browser notifications are not offered. */
  vapidPublicKey: z.nullable(z.string()),
  support: z.object({
    email: z.nullable(z.string()),
    phone: z.nullable(z.string()),
    whatsapp: z.array(z.string()),
    announcementsUrl: z.nullable(z.string()),
  }),
  chat: z.nullable(z.object({ url: z.string(), token: z.string(), hiddenPhone: z.nullable(z.string()) })),
  recording: z.nullable(z.object({ scriptUrl: z.string(), tag: z.nullable(z.string()) })),
  legacyUrl: z.nullable(z.string()),
});
export type PublicConfig = z.infer<typeof publicConfig>;

/** GET /status/openapi.json: an OpenAPI document. */
export const openApiResponse = z.looseObject({ openapi: z.literal("3.1.1"), paths: z.looseObject({}) });
export type OpenApiResponse = z.infer<typeof openApiResponse>;
