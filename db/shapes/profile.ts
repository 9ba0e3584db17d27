import * as z from "zod/mini";
import { filters, mode, specialMode } from "./work/filters.ts";
import { language } from "./language.ts";
import {
  DEFAULT_REMINDER_PREFERENCES,
  notificationPreferences,
  reminderPreferences,
} from "./notifications.ts";
import { driverId, epochMs } from "./units.ts";

/**
 * A driver's settings and service time. D1 owns them; the driver's object keeps a copy and accepts only a higher
 * `revision`.
 */
export const profile = z.object({
  revision: z.int(),
  switchedOn: z.boolean(),
  mode,
  specialMode: z.nullable(specialMode),
  filters,
  filtersVersion: z.int(),
  /** The end of the paid time; null if the driver never had any. */
  serviceUntil: z.nullable(epochMs),
  /** The end of the latest pause, in which no service runs; null or absent if none is known. */
  pausedUntil: z.optional(z.nullable(epochMs)),
  /** On the waitlist for a spot in the city, and not allowed to capture until there is one. */
  waitingForSpot: z.boolean(),
});
export type Profile = z.infer<typeof profile>;

/**
 * Events of a payment, or of a friend's. `disputed`: a dispute was lost. `dispute_won`: it was won, also after it had
 * been lost. `days_kept`: the days of a refund were given back, because it was goodwill after all. `renewal_on`: one
 * was agreed to. `renewal_ahead`: one will be charged soon; the others of `renewal_`: why one paused. `friend_paid`: a
 * friend's first paid plan gave the inviter free days, of which the friend hears as `inviter_rewarded`.
 * `friend_refunded`: that plan was refunded and took them back; `friend_paid_again`: they are returned.
 */
export const serviceChangeKind = z.enum([
  "paid",
  "refunded",
  "refund_failed",
  "days_kept",
  "disputed",
  "dispute_opened",
  "dispute_won",
  "renewal_on",
  "renewal_ahead",
  "renewal_over_cap",
  "renewal_needs_bank",
  "renewal_declined",
  "renewal_method_gone",
  "renewal_plan_gone",
  "renewal_not_served",
  "renewal_failed",
  "renewal_card_disputed",
  "renewal_untold",
  "renewal_refunded",
  "friend_paid",
  "inviter_rewarded",
  "friend_refunded",
  "friend_paid_again",
]);
export type ServiceChangeKind = z.infer<typeof serviceChangeKind>;

/** An event of a payment, one's own or a friend's, for the driver to hear of. `source` is its unique, stable id. */
export const serviceChange = z.object({
  source: z.string(),
  kind: serviceChangeKind,
  /** The money that it is about; null where it was not stored. */
  money: z.nullable(z.object({ cents: z.int(), currency: z.string() })),
  /** Service time that it added or (negative) took back, or that a renewal is about; null where it was not stored. */
  changedMs: z.nullable(z.int()),
  /** When a renewal will be charged. */
  chargeAt: z.optional(epochMs),
  /** The token of the link that turns a renewal off. */
  link: z.optional(z.string()),
});

export type ServiceChange = z.infer<typeof serviceChange>;

/** The driver that an object belongs to, with what the object needs beside the engine's state. */
export const driverOwner = z.object({
  driverId,
  phoneNumber: z.string(),
  language,
  timeZone: z.string(),
  notifications: z.object(notificationPreferences.shape),
  reminders: z._default(reminderPreferences, DEFAULT_REMINDER_PREFERENCES),
});
export type DriverOwner = z.infer<typeof driverOwner>;
