import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { wordColumn } from "../columns.ts";
import type { Plan } from "../shapes/money/plans.ts";
import { renewalPause, renewalStatus, type NoticeChannel } from "../shapes/money/renewal.ts";
import type { DriverId } from "../shapes/units.ts";

/** A driver's renewal: what is bought shortly before service ends, with which card. None is the default. */
export const renewals = sqliteTable(
  "renewals",
  {
    driverId: text("driver_id").$type<DriverId>().primaryKey(),
    /** A status that we don't know charges nobody. */
    status: wordColumn("status", renewalStatus, "off").notNull(),
    /** Why it is paused; null unless it is. */
    pause: wordColumn("pause", renewalPause, null),
    plan: text().$type<Plan>().notNull(),
    /** The most that may be charged, which the driver saw. */
    capCents: integer("cap_cents").notNull(),
    currency: text().notNull(),
    /** The consent that it goes by. */
    consentId: text("consent_id").notNull(),
    /** Stripe's id of the saved card, never its number. */
    methodId: text("method_id").notNull(),
    method: text().notNull(),
    methodBrand: text("method_brand"),
    methodLast4: text("method_last4"),
    /** The end of service in the driver's notice of renewal, with the notice's time and amount. */
    noticedEnd: integer("noticed_end"),
    noticedAt: integer("noticed_at"),
    noticedCents: integer("noticed_cents"),
    /** When there is something to do next; null while it is off or paused. */
    dueAt: integer("due_at"),
    /** Looks in a row that failed, which makes the next wait longer. */
    tries: integer().notNull(),
    /** Incremented by every write, for optimistic locking. */
    revision: integer().notNull(),
    /** The same for every copy of one card, whoever saved it; null for what is no card, and until it is known. */
    methodFingerprint: text("method_fingerprint"),
    /** When a channel confirmed the notice; null until one does. */
    noticeConfirmedAt: integer("notice_confirmed_at"),
  },
  (table) => [
    index("renewals_due_at").on(table.dueAt),
    index("renewals_fingerprint").on(table.methodFingerprint),
    index("renewals_method").on(table.methodId),
    // The cron counts these every minute: few of all.
    index("renewals_failing")
      .on(table.tries)
      .where(sql`status = 'on' AND tries >= 7`),
  ],
);

/** Which channels are known to have brought a driver the notice of a renewal, and when. Texts stand in `sent_texts`. */
export const renewalNotices = sqliteTable(
  "renewal_notices",
  {
    /** The service change that told of it. */
    source: text().notNull(),
    channel: text().$type<NoticeChannel>().notNull(),
    driverId: text("driver_id").$type<DriverId>().notNull(),
    at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.channel] }),
    index("renewal_notices_driver").on(table.driverId),
  ],
);

/** Drivers' consents, each with the time of its withdrawal. Rows are added, and stay for the books. */
export const renewalConsents = sqliteTable(
  "renewal_consents",
  {
    id: text().primaryKey(),
    driverId: text("driver_id").$type<DriverId>().notNull(),
    at: integer().notNull(),
    plan: text().$type<Plan>().notNull(),
    capCents: integer("cap_cents").notNull(),
    currency: text().notNull(),
    /** The version of the words. */
    words: integer().notNull(),
    /** When the driver turned it off, or agreed anew; null while it holds. */
    withdrawnAt: integer("withdrawn_at"),
  },
  (table) => [index("renewal_consents_driver").on(table.driverId, table.at)],
);
