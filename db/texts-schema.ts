import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** How many texts were sent in a window that began with its first one. `key` names what is limited, and the window. */
export const textCounts = sqliteTable(
  "text_counts",
  {
    key: text().primaryKey(),
    sent: integer().notNull(),
    endsAt: integer("ends_at").notNull(),
  },
  (table) => [index("text_counts_ends_at").on(table.endsAt)],
);

/** What an operator must look at. One row per name, from the first time on until it is over. */
export const serviceAlerts = sqliteTable("service_alerts", {
  name: text().primaryKey(),
  reason: text().notNull(),
  since: integer().notNull(),
  /** When it is over by itself. */
  until: integer().notNull(),
});
