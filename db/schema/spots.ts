import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { wordColumn } from "../columns.ts";
import { spotStatus } from "../shapes/money/spots.ts";
import type { DriverId } from "../shapes/units.ts";

/** How many spots a city has, by the platform's name of the region. A city without a row has no limit. */
export const citySpots = sqliteTable("city_spots", {
  city: text().primaryKey(),
  spots: integer().notNull(),
});

/** Where a driver stands in their city, from their first linking on. `users.waiting_for_spot` is true unless it is `held`. */
export const spots = sqliteTable(
  "spots",
  {
    driverId: text("driver_id").$type<DriverId>().primaryKey(),
    city: text().notNull(),
    status: wordColumn("status", spotStatus, "waiting").notNull(),
    /** Since when they have the spot, or have been in line: the line is ordered by it. */
    since: integer().notNull(),
    /** The place at which they joined the line; null if they got a spot at once. */
    joinedPlace: integer("joined_place"),
    /** Until when the spot is kept for them, if it is offered. */
    offerEndsAt: integer("offer_ends_at"),
    /** When to look next whether a spot that is held has lapsed. */
    checkAt: integer("check_at").notNull(),
  },
  (table) => [
    index("spots_city").on(table.city, table.status, table.since, table.driverId),
    index("spots_offer").on(table.status, table.offerEndsAt),
    index("spots_check").on(table.status, table.checkAt),
  ],
);
