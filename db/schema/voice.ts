import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { wordColumn } from "../columns.ts";
import { audienceKind } from "../shapes/announcement.ts";
import { isInEveryRow, LANGUAGES } from "../shapes/language.ts";
import { recordOf } from "../shapes/record-of.ts";
import type { DriverId } from "../shapes/units.ts";
import type { DriverNewsKind } from "../shapes/driver-news.ts";

/** Lines that operators show to drivers for a while. One of an audience that we don't know is shown to nobody. */
export const announcements = sqliteTable(
  "announcements",
  {
    id: text().primaryKey(),
    ...recordOf(LANGUAGES, (language) =>
      isInEveryRow(language) ? text(language).notNull() : text(language).notNull().default(""),
    ),
    audience: wordColumn("audience", audienceKind, null).notNull(),
    /** The city or the language; null where it is for all. */
    audienceOf: text("audience_of"),
    startsAt: integer("starts_at").notNull(),
    endsAt: integer("ends_at").notNull(),
    createdAt: integer("created_at").notNull(),
    /** The last driver, in the order of their ids, whose object was notified. */
    toldUpTo: text("told_up_to").notNull().default(""),
    /** How many objects were notified. */
    told: integer().notNull().default(0),
    isTold: integer("is_told", { mode: "boolean" }).notNull().default(false),
    /** The results of the pushes, without those that are still to be sent. */
    pushesSent: integer("pushes_sent").notNull().default(0),
    pushesFailed: integer("pushes_failed").notNull().default(0),
  },
  (table) => [
    index("announcements_ends_at").on(table.endsAt),
    index("announcements_untold").on(table.isTold, table.startsAt),
  ],
);

/** Drivers whose objects missed an announcement, or who have pushes on their way: retried until they have none. */
export const announcementRetries = sqliteTable(
  "announcement_retries",
  {
    announcementId: text("announcement_id").notNull(),
    driverId: text("driver_id").$type<DriverId>().notNull(),
    /** Browsers; 0 where the object was not reached yet. */
    pending: integer().notNull(),
    tries: integer().notNull(),
    dueAt: integer("due_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.announcementId, table.driverId] }),
    index("announcement_retries_due_at").on(table.dueAt),
    index("announcement_retries_driver").on(table.driverId),
  ],
);

/** Errors in pages, one row for the same message at the same place. */
export const errorGroups = sqliteTable(
  "error_groups",
  {
    /** A hash of what makes reports the same. */
    id: text().primaryKey(),
    caller: text().notNull(),
    name: text().notNull(),
    /** Redacted. Null where no driver was signed in: it may quote what somebody typed. */
    message: text(),
    /** The function and file in which it broke, without what changes with each build. */
    place: text(),
    reports: integer().notNull(),
    drivers: integer().notNull(),
    firstSeenAt: integer("first_seen_at").notNull(),
    lastSeenAt: integer("last_seen_at").notNull(),
    /** The request that brought the last report, as the log names it. */
    requestId: text("request_id").notNull(),
    stack: text(),
    resolvedAt: integer("resolved_at"),
  },
  (table) => [index("error_groups_last_seen").on(table.lastSeenAt)],
);

/** The driver who reported an error, so that each driver counts once. */
export const errorGroupDrivers = sqliteTable(
  "error_group_drivers",
  {
    groupId: text("group_id").notNull(),
    driverId: text("driver_id").$type<DriverId>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.groupId, table.driverId] }),
    index("error_group_drivers_driver").on(table.driverId),
  ],
);

/** The versions of the product in which an error was reported. */
export const errorGroupVersions = sqliteTable(
  "error_group_versions",
  {
    groupId: text("group_id").notNull(),
    version: text().notNull(),
    reports: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.version] })],
);

/** News that a driver's object hasn't received yet. A row is deleted once it is delivered. */
export const undeliveredNews = sqliteTable(
  "driver_news",
  {
    source: text().primaryKey(),
    driverId: text("driver_id").$type<DriverId>().notNull(),
    kind: text().$type<DriverNewsKind>().notNull(),
    /** The city of a spot, the id of a raffle. */
    subject: text().notNull(),
    /** Until when a spot is kept. */
    until: integer(),
    at: integer().notNull(),
  },
  (table) => [index("driver_news_at").on(table.at), index("driver_news_driver").on(table.driverId)],
);

/**
 * The identifiers under which drivers may be contacts at the support chat. A row that is due has a call to make there: its
 * contact is deleted, or goes on under its successor. The row goes once that is done.
 */
export const chatContacts = sqliteTable(
  "chat_contacts",
  {
    identifier: text().primaryKey(),
    driverId: text("driver_id").$type<DriverId>().notNull(),
    /** The identifier that the driver has now; null if it is this one, or the driver is gone. */
    successor: text(),
    isDeleted: integer("is_deleted", { mode: "boolean" }).notNull(),
    tries: integer().notNull(),
    /** Null if nothing is to be done. */
    dueAt: integer("due_at"),
  },
  (table) => [
    index("chat_contacts_driver").on(table.driverId),
    index("chat_contacts_due_at").on(table.dueAt),
  ],
);
