import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { BlockId, DriverId, OfferId, WarehouseId } from "../shapes/units.ts";
import { jsonColumn, wordColumn } from "../columns.ts";
import { mode, readWeekSchedule, serviceType, specialMode } from "../shapes/work/filters.ts";
import { readDates, readExtraRules, readLimits } from "../shapes/work/stored-filters.ts";
import { RULE_ACTIONS } from "../shapes/work/rule-action.ts";
import { language } from "../shapes/language.ts";
import { readNotificationPreferences, readReminderPreferences } from "../shapes/notifications.ts";

/** A driver. `id` is the `sub` of the id token. Every change that the driver's object needs increments `revision`. */
export const users = sqliteTable(
  "users",
  {
    id: text().$type<DriverId>().primaryKey(),
    phoneNumber: text("phone_number").notNull(),
    name: text().notNull(),
    preferredPhoneNumber: text("preferred_phone_number"),
    /** Whether a code proved it. Until then texts go to `phoneNumber`. */
    preferredPhoneVerified: integer("preferred_phone_verified", { mode: "boolean" }).notNull().default(false),
    language: wordColumn("language", language, "en").notNull(),
    mode: wordColumn("mode", mode, "lucrative").notNull(),
    /** An unknown special mode is read as `wf`, so that it never accepts more offers than intended. */
    specialMode: wordColumn("special_mode", specialMode, "wf"),
    switchedOn: integer("switched_on", { mode: "boolean" }).notNull(),
    waitingForSpot: integer("waiting_for_spot", { mode: "boolean" }).notNull(),
    /** A friend's trial that begins with the first switch-on. */
    trialPending: integer("trial_pending", { mode: "boolean" }).notNull().default(false),
    referral: text().notNull(),
    humanTimezone: text("human_timezone").notNull(),
    humanRegion: text("human_region"),
    flexEmail: text("flex_email"),
    proxyInstalled: integer("proxy_installed", { mode: "boolean" }).notNull(),
    /** Null means `DEFAULT_NOTIFICATION_PREFERENCES`. */
    notifications: jsonColumn("notifications", readNotificationPreferences),
    /** Null means `DEFAULT_REMINDER_PREFERENCES`. */
    reminders: jsonColumn("reminders", readReminderPreferences),
    /** Whether the driver lets their sessions be recorded; null until they were asked. */
    recordingConsent: integer("recording_consent", { mode: "boolean" }),
    recordingConsentAt: integer("recording_consent_at"),
    revision: integer().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("users_phone_number").on(table.phoneNumber),
    // Operators find a driver by these. Of the first, drizzle-kit writes the expression wrong: its migration is by hand.
    index("users_phone_end").on(sql`substr(phone_number, -4)`),
    index("users_preferred_phone")
      .on(table.preferredPhoneNumber)
      .where(sql`preferred_phone_number IS NOT NULL`),
    index("users_flex_email").on(sql`flex_email COLLATE NOCASE`),
  ],
);

/**
 * The days of a driver's calendar on which the system could not work for them for a while, through no doing of theirs: a row is
 * written once, when the day is over. Operators read the sum of what was given.
 */
export const lostDays = sqliteTable(
  "lost_days",
  {
    driverId: text("driver_id").$type<DriverId>().notNull(),
    date: text().notNull(),
    lostMs: integer("lost_ms").notNull(),
    /** Of it as service: 0 where it was too little, or service was refunded. */
    givenMs: integer("given_ms").notNull(),
    at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.driverId, table.date] }), index("lost_days_at").on(table.at)],
);

/** The words of each driver's name (db/shapes/name-words.ts), written wherever the name is, so that a last name finds them. */
export const driverNameWords = sqliteTable(
  "driver_name_words",
  { word: text().notNull(), driverId: text("driver_id").$type<DriverId>().notNull() },
  (table) => [
    primaryKey({ columns: [table.word, table.driverId] }),
    index("driver_name_words_driver").on(table.driverId, table.word),
  ],
);

/** A driver's filters for all warehouses. `version` detects a concurrent save, for example from a second tab. */
export const driverFilters = sqliteTable("filters", {
  driverId: text("driver_id").$type<DriverId>().primaryKey(),
  version: integer().notNull(),
  /** Unique to the save that wrote this version; guards the other statements of that save. */
  saveId: text("save_id").notNull(),
  minHourlyCents: integer("min_hourly_cents"),
  schedule: jsonColumn("schedule", readWeekSchedule).notNull(),
  /** Null means `NO_LIMITS`, and no dates: as a former release saved it. */
  limits: jsonColumn("limits", readLimits),
  dates: jsonColumn("dates", readDates),
});

/** A driver's filters for one warehouse. `durations` is encoded by `encodeDurations`. */
export const warehouseFilters = sqliteTable(
  "warehouse_filters",
  {
    driverId: text("driver_id").$type<DriverId>().notNull(),
    warehouseId: text("warehouse_id").notNull(),
    selected: integer({ mode: "boolean" }).notNull(),
    minPriceCents: integer("min_price_cents").notNull(),
    bufferMinutes: integer("buffer_minutes").notNull(),
    minHourlyCents: integer("min_hourly_cents").notNull(),
    durations: text().notNull(),
    onlyHourly: integer("only_hourly", { mode: "boolean" }).notNull(),
    /** Null means that an offer that fits is taken, and the usual time for an answer: as a former release saved it. */
    action: text({ enum: RULE_ACTIONS }),
    askSeconds: integer("ask_seconds"),
    /** The rules beside the first; null means that there are none. */
    extraRules: jsonColumn("extra_rules", readExtraRules),
    /** The platform doesn't list it, as far as the driver's object last read: no offer of it will come. */
    unlisted: integer({ mode: "boolean" }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.driverId, table.warehouseId] })],
);

/** Ledger of service time bought, granted or revoked: one row per source, in milliseconds, negative for a refund. */
export const serviceCredits = sqliteTable(
  "service_credits",
  {
    source: text().primaryKey(),
    driverId: text("driver_id").$type<DriverId>().notNull(),
    durationMs: integer("duration_ms").notNull(),
    at: integer().notNull(),
  },
  (table) => [index("service_credits_driver").on(table.driverId, table.at)],
);

/**
 * Captured blocks on their way to the driver's object, which keeps them: a former release's copies, and those of an object in a
 * former region. The object deletes what it has taken.
 */
export const blocksWon = sqliteTable(
  "blocks_won",
  {
    driverId: text("driver_id").$type<DriverId>().notNull(),
    blockId: text("block_id").$type<BlockId>().notNull(),
    offerId: text("offer_id").$type<OfferId>().notNull(),
    attemptId: text("attempt_id").notNull(),
    warehouseId: text("warehouse_id").$type<WarehouseId>().notNull(),
    serviceType: wordColumn("service_type", serviceType, "other").notNull(),
    startsAt: integer("starts_at").notNull(),
    endsAt: integer("ends_at").notNull(),
    payCents: integer("pay_cents").notNull(),
    currency: text().notNull(),
    capturedAt: integer("captured_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.driverId, table.blockId] }),
    index("blocks_won_driver_captured").on(table.driverId, table.capturedAt),
  ],
);

/**
 * The sums of a driver's captured blocks by the day (UTC) of their capture. The object replaces a day as a whole. A block that
 * was given back counts, and neither pays nor lasts. Its migration, by hand, has no row ids: each row is stored once,
 * in its key.
 */
export const wonDays = sqliteTable(
  "won_days",
  {
    driverId: text("driver_id").$type<DriverId>().notNull(),
    /** Days since 1970. */
    day: integer().notNull(),
    currency: text().notNull(),
    blocks: integer().notNull(),
    payCents: integer("pay_cents").notNull(),
    minutes: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.driverId, table.day, table.currency] })],
);

/** Which driver's object is linked to each account of the platform: two would take each other's blocks for their own. */
export const platformAccounts = sqliteTable(
  "platform_accounts",
  {
    /** The platform's own id of its driver. */
    accountId: text("account_id").primaryKey(),
    driverId: text("driver_id").$type<DriverId>().notNull(),
    objectName: text("object_name").notNull(),
    linkedAt: integer("linked_at").notNull(),
  },
  (table) => [index("platform_accounts_driver").on(table.driverId)],
);

/** The objects that a driver ever had: one for each region that was the platform's. */
export const driverObjects = sqliteTable(
  "driver_objects",
  {
    driverId: text("driver_id").$type<DriverId>().notNull(),
    objectName: text("object_name").notNull(),
    since: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.driverId, table.objectName] })],
);

/** By when each driver's object must have woken again. The watchdog wakes those that are overdue. */
export const heartbeats = sqliteTable(
  "heartbeats",
  {
    driverId: text("driver_id").$type<DriverId>().primaryKey(),
    objectName: text("object_name").notNull(),
    dueAt: integer("due_at").notNull(),
    /** When the watchdog last tried to wake it; null if it never had to. */
    wokenAt: integer("woken_at"),
    /** The error that it last threw where it should have woken, by classes and place; null since it woke. */
    failure: text(),
  },
  (table) => [index("heartbeats_due_at").on(table.dueAt)],
);

/** Sealed bodies that were used, by SHA-256 over key id and nonce, until they are too old to be sent again. */
export const usedSeals = sqliteTable(
  "used_seals",
  { digest: text().primaryKey(), expiresAt: integer("expires_at").notNull() },
  (table) => [index("used_seals_expires_at").on(table.expiresAt)],
);

/** Drivers and hashed accounts of the platform that a linking under way holds, so that nobody else tries either. */
export const linkLeases = sqliteTable(
  "link_leases",
  {
    subject: text().primaryKey(),
    holder: text().notNull(),
    until: integer().notNull(),
  },
  (table) => [index("link_leases_holder").on(table.holder), index("link_leases_until").on(table.until)],
);
