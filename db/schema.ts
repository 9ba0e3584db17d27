import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { DriverId } from "./shapes/units.ts";
import { jsonColumn, wordColumn } from "./columns.ts";
import { mode, readWeekSchedule, specialMode } from "./shapes/filters.ts";
import { language } from "./shapes/language.ts";
import { readNotificationPreferences } from "./shapes/notifications.ts";

/** A driver. `id` is the `sub` of the id token. Every change that the driver's object must learn of raises `revision`. */
export const users = sqliteTable(
  "users",
  {
    id: text().$type<DriverId>().primaryKey(),
    phoneNumber: text("phone_number").notNull(),
    name: text().notNull(),
    preferredPhoneNumber: text("preferred_phone_number"),
    language: wordColumn("language", language, "en").notNull(),
    mode: wordColumn("mode", mode, "lucrative").notNull(),
    /** One that is not known here takes less than every offer, so it reads as one that does. */
    specialMode: wordColumn("special_mode", specialMode, "wf"),
    switchedOn: integer("switched_on", { mode: "boolean" }).notNull(),
    waitingForSpot: integer("waiting_for_spot", { mode: "boolean" }).notNull(),
    referral: text().notNull(),
    humanTimezone: text("human_timezone").notNull(),
    humanRegion: text("human_region"),
    flexEmail: text("flex_email"),
    proxyInstalled: integer("proxy_installed", { mode: "boolean" }).notNull(),
    /** Null where the driver never chose: `DEFAULT_NOTIFICATION_PREFERENCES`. */
    notifications: jsonColumn("notifications", readNotificationPreferences),
    revision: integer().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("users_phone_number").on(table.phoneNumber)],
);

/** What a driver decides for all warehouses; `version` guards against two tabs. */
export const driverFilters = sqliteTable("filters", {
  driverId: text("driver_id").$type<DriverId>().primaryKey(),
  version: integer().notNull(),
  /** The save that wrote this version: its other statements are guarded by it. */
  saveId: text("save_id").notNull(),
  minHourlyCents: integer("min_hourly_cents"),
  schedule: jsonColumn("schedule", readWeekSchedule).notNull(),
});

/** What a driver decides for one warehouse. `durations` as `encodeDurations` writes them. */
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
  },
  (table) => [primaryKey({ columns: [table.driverId, table.warehouseId] })],
);

/** Service time bought, given or taken back: one row a source, in milliseconds, negative for a refund. */
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

/** A copy of each block won; the driver's object is the truth. */
export const blocksWon = sqliteTable(
  "blocks_won",
  {
    driverId: text("driver_id").$type<DriverId>().notNull(),
    blockId: text("block_id").notNull(),
    offerId: text("offer_id").notNull(),
    attemptId: text("attempt_id").notNull(),
    warehouseId: text("warehouse_id").notNull(),
    serviceType: text("service_type").notNull(),
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

/** When each driver's object must have woken by; the watchdog pokes those that are overdue. */
export const heartbeats = sqliteTable(
  "heartbeats",
  {
    driverId: text("driver_id").$type<DriverId>().primaryKey(),
    objectName: text("object_name").notNull(),
    dueAt: integer("due_at").notNull(),
  },
  (table) => [index("heartbeats_due_at").on(table.dueAt)],
);
