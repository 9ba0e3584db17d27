import * as z from "zod/mini";
import { MINUTE_MS } from "./units.ts";
import { isRecord } from "./versioned.ts";

/**
 * The groups of notifications that a driver can choose. `captured` sends at most one message per capture; `question` those that
 * ask about an offer, or only tell of one.
 */
export const NOTIFICATION_EVENTS = ["captured", "question", "needs_you", "service", "silence"] as const;
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/** How a notification is delivered. */
export const channels = z.object({ text: z.boolean(), push: z.boolean() });
export type Channels = z.infer<typeof channels>;

/** The channels of an event that change; one that is left out stays as it is. */
const channelChange = z.object({ text: z.optional(z.boolean()), push: z.optional(z.boolean()) });

/** Minutes since midnight in the driver's time zone; an end at or before the start is on the next day. */
const minuteOfDay = z.int().check(z.gte(0), z.lt(1440));
export const quietHours = z.object({ fromMinute: minuteOfDay, toMinute: minuteOfDay });
export type QuietHours = z.infer<typeof quietHours>;

/** Questions come by push; a driver who wants texts for them, too, says so. */
const QUESTION_CHANNELS: Channels = { text: false, push: true };

/**
 * GET /flex/v1/user/notifications. During quiet hours only `needs_you` is sent, and questions by push alone; captures
 * show up in the app without a message.
 */
export const notificationPreferences = z.object({
  captured: channels,
  question: z._default(channels, QUESTION_CHANNELS),
  needs_you: channels,
  service: channels,
  silence: channels,
  quietHours: z.nullable(quietHours),
});
export type NotificationPreferences = z.infer<typeof notificationPreferences>;

/**
 * The preferences as a page of any release sends and reads them. A page that doesn't know questions changes nothing of theirs,
 * and refuses a field that it doesn't know.
 */
export const sentNotificationPreferences = z.extend(notificationPreferences, {
  question: z.optional(channels),
});
export type SentNotificationPreferences = z.infer<typeof sentNotificationPreferences>;

/**
 * PUT /flex/v1/user/notifications: what is left out keeps what is stored, so that two devices change different settings. A page
 * of a former release sends all that it knows.
 */
export const notificationChange = z.object({
  captured: z.optional(channelChange),
  question: z.optional(channelChange),
  needs_you: z.optional(channelChange),
  service: z.optional(channelChange),
  silence: z.optional(channelChange),
  quietHours: z.optional(z.nullable(quietHours)),
});
export type NotificationChange = z.infer<typeof notificationChange>;

/** The query of GET and PUT /flex/v1/user/notifications: the page knows questions, too. */
export const notificationsQueryInput = z.object({ questions: z.optional(z.literal("1")) });

/** The preferences as a page reads them that knows questions, or doesn't. */
export function preferencesFor(
  { question, ...others }: NotificationPreferences,
  { knowsQuestions }: { knowsQuestions: boolean },
): SentNotificationPreferences {
  return knowsQuestions ? { ...others, question } : others;
}

const ALL_CHANNELS = { text: true, push: true };
/** The preferences of a driver who never changed them. */
export const DEFAULT_NOTIFICATION_PREFERENCES: NotificationPreferences = {
  captured: ALL_CHANNELS,
  question: QUESTION_CHANNELS,
  needs_you: ALL_CHANNELS,
  service: ALL_CHANNELS,
  silence: { text: false, push: true },
  quietHours: null,
};

/** Parses stored preferences. Missing or malformed parts get their defaults. */
export function readNotificationPreferences(stored: unknown): NotificationPreferences {
  const known = isRecord(stored) ? stored : {};
  const read = (event: NotificationEvent) =>
    readChannels(known[event], DEFAULT_NOTIFICATION_PREFERENCES[event]);
  return {
    captured: read("captured"),
    question: read("question"),
    needs_you: read("needs_you"),
    service: read("service"),
    silence: read("silence"),
    quietHours: z.safeParse(quietHours, known["quietHours"]).data ?? null,
  };
}

/** Parses the channels of an event. One that is missing or malformed is as by default. */
function readChannels(stored: unknown, fallback: Channels): Channels {
  const known = isRecord(stored) ? stored : {};
  const read = (channel: keyof Channels) =>
    z.safeParse(z.boolean(), known[channel]).data ?? fallback[channel];
  return { text: read("text"), push: read("push") };
}

/** How long before a block starts the driver is reminded that it can still be given back. */
export const GIVE_BACK_REMINDERS = { give_back_90: 90 * MINUTE_MS, give_back_60: 60 * MINUTE_MS } as const;
/** A reminder that a block can still be given back, the earliest first. */
export const giveBackReminder = z.enum(["give_back_90", "give_back_60"]);
export type GiveBackReminder = z.infer<typeof giveBackReminder>;

/**
 * The reminders that a driver can choose: of a block that can be given back, of needs before their hours begin, and of
 * their week.
 */
export const REMINDERS = [...giveBackReminder.options, "before_shift", "week"] as const;
export type Reminder = (typeof REMINDERS)[number];

/** By push, and by text where no push can reach the driver. */
const WHICHEVER_ARRIVES: Channels = { text: true, push: true };

/** GET /flex/v1/user/reminders. None is sent during quiet hours. */
export const reminderPreferences = z.object({
  give_back_90: channels,
  give_back_60: channels,
  before_shift: z._default(channels, WHICHEVER_ARRIVES),
  week: z._default(channels, WHICHEVER_ARRIVES),
});
export type ReminderPreferences = z.infer<typeof reminderPreferences>;

/** PUT /flex/v1/user/reminders: those that are given change, so that a page that doesn't know one leaves it as it is. */
export const reminderChange = z.object({
  give_back_90: z.optional(channelChange),
  give_back_60: z.optional(channelChange),
  before_shift: z.optional(channelChange),
  week: z.optional(channelChange),
});
export type ReminderChange = z.infer<typeof reminderChange>;

/** A text for each block would soon use up the day's texts. */
const PUSH_ALONE = { text: false, push: true };
/** The reminders of a driver who never changed them. */
export const DEFAULT_REMINDER_PREFERENCES: ReminderPreferences = {
  give_back_90: PUSH_ALONE,
  give_back_60: PUSH_ALONE,
  before_shift: WHICHEVER_ARRIVES,
  week: WHICHEVER_ARRIVES,
};

/** Parses stored reminders. Missing or malformed ones get their defaults. */
export function readReminderPreferences(stored: unknown): ReminderPreferences {
  const known = isRecord(stored) ? stored : {};
  const read = (reminder: Reminder) => readChannels(known[reminder], DEFAULT_REMINDER_PREFERENCES[reminder]);
  return {
    give_back_90: read("give_back_90"),
    give_back_60: read("give_back_60"),
    before_shift: read("before_shift"),
    week: read("week"),
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
