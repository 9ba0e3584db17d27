import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Tasks of the queue that ended: those whose results were counted, and those that every try failed at. Kept for a week. */
export const endedTasks = sqliteTable(
  "ended_tasks",
  {
    id: text().primaryKey(),
    /** As in the task; a later release may have others. */
    kind: text().notNull(),
    /** Whether it was given up. */
    isDead: integer("is_dead", { mode: "boolean" }).notNull(),
    at: integer().notNull(),
  },
  (table) => [index("ended_tasks_at").on(table.isDead, table.at)],
);
