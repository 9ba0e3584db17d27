import * as z from "zod/mini";
import { planPrices } from "../../db/shapes/money/plans.ts";
import { epochMs } from "../../db/shapes/units.ts";
import type { ApiRoute } from "./api-route.ts";

/** GET /status/health. Its headers `x-amz-version-id` and `x-amz-cf-id` carry the sealing key and its id. */
export const health = z.object({
  ok: z.boolean(),
  version: z.string(),
  /** The instant of the answer, by which a page corrects its device's clock. */
  now: z.optional(epochMs),
  /**
   * Where something is: parts that run, but need an operator. `payments`: money came in without service, or Stripe
   * refuses our key. `texts`: the gateway fails or a ceiling is reached. `keys`: a master key is missing. `cron`: a step of one
   * failed or did not run. `platform`: it doesn't answer the drivers, or makes them wait. `objects`: some did not wake.
   * `settings`: some are malformed, and what needs them stopped. `silence`: offers or captures ceased in a city.
   * `renewals`: they wait since the database was restored. `orders`: what an operator ordered can't be carried out.
   * `push`: push services refuse our keys. `registering`: its challenge can't be checked.
   */
  degraded: z.optional(z.array(z.enum(["payments", "texts", "keys", "database"]))),
  /**
   * The same of parts that pages of earlier releases don't know: `cron`, `platform`, `objects`, `settings`, `silence`,
   * `renewals`, `queues`, `orders`, `push`, `registering`.
   */
  alsoDegraded: z.optional(z.array(z.string())),
  /** The class of each reason, by what it is about, as in `{ "texts.gateway": "credentials" }`. */
  reasons: z.optional(z.record(z.string(), z.string())),
  /** How much is still sealed under master keys that are not current, by the key's id. */
  olderKeys: z.optional(z.record(z.string(), z.number())),
  /** When each step of the crons last succeeded. */
  lastCron: z.optional(z.record(z.string(), epochMs)),
});
export type Health = z.infer<typeof health>;

/** GET /status/config: the deployment's public config. A null field is not set, and not shown. */
export const publicConfig = z.object({
  productName: z.string(),
  publicUrl: z.string(),
  currency: z.string(),
  identity: z.object({ endpoint: z.string(), poolId: z.string(), clientId: z.string() }),
  stripePublishableKey: z.nullable(z.string()),
  /** The challenge before registering; null if there is none. */
  turnstile: z.optional(z.nullable(z.object({ siteKey: z.string(), scriptUrl: z.string() }))),
  /** The list prices that hold now. The price that a driver pays is that of the quote. */
  planPrices,
  /** For `PushManager.subscribe`; null if browser notifications are not offered. */
  vapidPublicKey: z.nullable(z.string()),
  support: z.object({
    email: z.nullable(z.string()),
    phone: z.nullable(z.string()),
    whatsapp: z.array(z.string()),
    announcementsUrl: z.nullable(z.string()),
  }),
  chat: z.nullable(z.object({ url: z.string(), token: z.string() })),
  /** The session recorder, which runs only for drivers who agreed. */
  recording: z.nullable(z.object({ scriptUrl: z.string(), tag: z.nullable(z.string()) })),
  legacyUrl: z.nullable(z.string()),
  /** How many minutes before its start a block can last be given back, and where on the platform. */
  giveBack: z._default(z.object({ minutes: z.int(), url: z.nullable(z.string()) }), {
    minutes: 45,
    url: null,
  }),
  /** From how many minutes of lost time in a day on it is given back; null if none is. */
  daysBackMinutes: z.optional(z.nullable(z.int())),
  /** ISO day from which the terms of service hold; null while they are a template. */
  termsDate: z.optional(z.nullable(z.string())),
});
export type PublicConfig = z.infer<typeof publicConfig>;

/** GET /status/openapi.json: an OpenAPI document. */
export const openApiResponse = z.looseObject({ openapi: z.literal("3.1.1"), paths: z.looseObject({}) });
export type OpenApiResponse = z.infer<typeof openApiResponse>;

/** The public facts of this deployment. */
export const STATUS_ROUTES = {
  "GET /status/health": {
    summary:
      "Whether the service runs. The headers `x-amz-cf-id` and `x-amz-version-id` are the id and the key that seal bodies.",
    auth: "none",
    responses: { 200: health },
    errors: [],
  },
  "GET /status/config": {
    summary: "What the page must know of this deployment.",
    auth: "none",
    responses: { 200: publicConfig },
    errors: [],
  },
  "GET /status/openapi.json": {
    summary: "This document.",
    auth: "none",
    responses: { 200: openApiResponse },
    errors: [],
  },
} as const satisfies Record<string, ApiRoute>;
