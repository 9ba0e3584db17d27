import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
