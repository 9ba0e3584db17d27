import * as z from "zod/mini";
import { NOTIFICATION_EVENTS } from "../../db/shapes/notifications.ts";
import { block, warehouse } from "../../db/shapes/offer.ts";
import { phase } from "../../db/shapes/phase.ts";
import { profile } from "../../db/shapes/profile.ts";
import type { DriverState } from "../engine/types.ts";
import { epochMs } from "../../db/shapes/units.ts";

const instant = z.nullable(epochMs);

/** The machine's fields that a restart must not forget, each a row of `state` under its own name. */
export const storedFields = {
  profile: z.nullable(profile),
  link: z.object({ status: z.enum(["unlinked", "linked", "signed_out"]) }),
  verification: z.nullable(z.object({ url: z.nullable(z.string()) })),
  warehouses: z.array(warehouse),
  held: z.array(block),
  throttle: z.object({ step: z.int(), until: instant, since: instant }),
  backoff: z.object({ failures: z.int(), retryAt: instant }),
  offerActivity: z.object({ lastNewAt: instant, meanGapMs: z.nullable(z.number()), suspectedAt: instant }),
  expiryWarnings: z.object({ endsAt: instant, thresholdsMs: z.array(z.int()) }),
  seenServiceChanges: z.array(z.string()),
  keyPrefix: z.string(),
  attemptSeq: z.int(),
  phase,
} as const;

export type StoredField = keyof typeof storedFields & keyof DriverState;
export const STORED_FIELDS = Object.keys(storedFields) as readonly StoredField[];

/** A browser that listens for its driver. */
export const storedPushSubscription = z.object({
  endpoint: z.string(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
});

/** What a browser is to show, and how much it matters. */
export const pushMessage = z.object({
  data: z.object({
    title: z.string(),
    body: z.string(),
    url: z.string(),
    tag: z.string(),
    event: z.enum(NOTIFICATION_EVENTS),
  }),
  ttlSeconds: z.int(),
  urgency: z.enum(["normal", "high"]),
});

/** What waits to be told to others: to D1 at least once, to a phone or a browser at most once. */
export const outboxItem = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("block_won"), attemptId: z.string(), block }),
  z.object({
    kind: z.literal("record_changed"),
    change: z.object({
      proxyInstalled: z.boolean(),
      flexEmail: z.optional(z.nullable(z.string())),
      humanRegion: z.optional(z.nullable(z.string())),
      humanTimezone: z.optional(z.string()),
    }),
  }),
  z.object({ kind: z.literal("text"), body: z.string() }),
  z.object({ kind: z.literal("push"), endpoint: z.string(), message: pushMessage }),
]);
export type OutboxItem = z.infer<typeof outboxItem>;

/** A linking under way. The session id is a secret, so it is stored sealed. */
export const linkSession = z.object({
  sealedSessionId: z.string(),
  email: z.string(),
  /** `approved`: the tokens have come, and what they open was not read yet. */
  state: z.enum(["otp_required", "approval_required", "approved"]),
  channel: z.nullable(z.enum(["sms", "email"])),
  destination: z.nullable(z.string()),
  expiresAt: epochMs,
});
export type LinkSession = z.infer<typeof linkSession>;
