import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DriverId } from "../shapes/units.ts";

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
