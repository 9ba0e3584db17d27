import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DriverId } from "../shapes/units.ts";

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
