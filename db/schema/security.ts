import { index, integer, sqliteTable, text, uniqueIndex, primaryKey } from "drizzle-orm/sqlite-core";
import type { DriverId } from "../shapes/units.ts";

/**
 * Security events of an account, for its owner: one row per event, network and hour, so that a thousand repetitions add
 * to one row.
 */
export const securityEvents = sqliteTable(
  "security_events",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: text("user_id").$type<DriverId>().notNull(),
    event: text().notNull(),
    /** Hours since 1970. */
    hour: integer().notNull(),
    /** Where from: a keyed hash; `others` beyond the networks of an hour that get a row each. */
    network: text().notNull(),
    browser: text(),
    system: text(),
    country: text(),
    times: integer().notNull(),
    firstAt: integer("first_at").notNull(),
    lastAt: integer("last_at").notNull(),
  },
  (table) => [
    uniqueIndex("security_events_hour").on(table.userId, table.hour, table.event, table.network),
    index("security_events_last_at").on(table.userId, table.lastAt),
    index("security_events_age").on(table.lastAt),
  ],
);

/**
 * Wrong guesses over days, per what they were made at: an account, a browser that it knows, a number, a driver who links.
 * They are forgotten one by one, each after a time without another.
 */
export const guesses = sqliteTable(
  "guesses",
  {
    /** The target of guesses, and the guesser where that counts separately. Numbers and addresses only as keyed hashes. */
    subject: text().primaryKey(),
    wrong: integer().notNull(),
    lockedUntil: integer("locked_until").notNull(),
    lastAt: integer("last_at").notNull(),
    /** When the last one is forgotten, and the row can go. */
    forgottenAt: integer("forgotten_at").notNull(),
  },
  (table) => [index("guesses_forgotten_at").on(table.forgottenAt)],
);

/**
 * The number of values sealed under a master key, as last counted. Every key that ever was current has a row until
 * nothing is left.
 */
export const masterKeyUses = sqliteTable(
  "master_key_uses",
  {
    keyId: text("key_id").notNull(),
    what: text().notNull(),
    uses: integer().notNull(),
    countedAt: integer("counted_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.what] })],
);

/**
 * The master key under which a driver's object seals the platform's tokens, as it last said. Triggers on `users` keep a row for
 * each linked driver and for nobody else, so that those under another key are found by the index.
 */
export const objectSeals = sqliteTable(
  "object_seals",
  {
    driverId: text("driver_id").$type<DriverId>().primaryKey(),
    /** Empty until the object said it. */
    keyId: text("key_id").notNull(),
    checkedAt: integer("checked_at").notNull(),
  },
  (table) => [index("object_seals_key").on(table.keyId)],
);
