import * as z from "zod/mini";
import { isRecord } from "./versioned.ts";

/** The groups of notifications that a driver can choose. `captured` sends at most one message per capture. */
export const NOTIFICATION_EVENTS = ["captured", "needs_you", "service", "silence"] as const;
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/** How a notification is delivered. */
export const channels = z.object({ text: z.boolean(), push: z.boolean() });
export type Channels = z.infer<typeof channels>;

/** Minutes since midnight in the driver's time zone; an end at or before the start is on the next day. */
const minuteOfDay = z.int().check(z.gte(0), z.lt(1440));
export const quietHours = z.object({ fromMinute: minuteOfDay, toMinute: minuteOfDay });
export type QuietHours = z.infer<typeof quietHours>;

/**
 * GET and PUT /flex/v1/user/notifications. During quiet hours only `needs_you` is sent; captures show up in
 * the app without a message.
 */
export const notificationPreferences = z.object({
  captured: channels,
  needs_you: channels,
  service: channels,
  silence: channels,
  quietHours: z.nullable(quietHours),
});
export type NotificationPreferences = z.infer<typeof notificationPreferences>;

const ALL_CHANNELS = { text: true, push: true };
/** The preferences of a driver who never changed them. */
export const DEFAULT_NOTIFICATION_PREFERENCES: NotificationPreferences = {
  captured: ALL_CHANNELS,
  needs_you: ALL_CHANNELS,
  service: ALL_CHANNELS,
  silence: { text: false, push: true },
  quietHours: null,
};

/** Parses stored preferences. Missing or malformed parts get their defaults. */
export function readNotificationPreferences(stored: unknown): NotificationPreferences {
  const known = isRecord(stored) ? stored : {};
  const readChannels = (event: NotificationEvent) =>
    z.safeParse(channels, known[event]).data ?? DEFAULT_NOTIFICATION_PREFERENCES[event];
  return {
    captured: readChannels("captured"),
    needs_you: readChannels("needs_you"),
    service: readChannels("service"),
    silence: readChannels("silence"),
    quietHours: z.safeParse(quietHours, known["quietHours"]).data ?? null,
  };
}

/** PUT and DELETE /flex/v1/user/push: a browser's subscription, as returned by `PushSubscription.toJSON()`. */
export const pushSubscription = z.object({
  endpoint: z.url().check(z.maxLength(1024), z.regex(/^https:\/\//)),
  keys: z.object({
    p256dh: z.string().check(z.regex(/^[\w-]{80,100}=?$/)),
    auth: z.string().check(z.regex(/^[\w-]{20,30}=*$/)),
  }),
});
export type PushSubscriptionInput = z.infer<typeof pushSubscription>;

export const pushRemoval = z.object({ endpoint: z.url().check(z.maxLength(1024)) });
