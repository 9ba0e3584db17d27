import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DriverNewsKind } from "../shapes/driver-news.ts";
import type { DriverId } from "../shapes/units.ts";

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
