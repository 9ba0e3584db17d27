import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { wordColumn } from "../columns.ts";
import { textProblem, textStatus, textWord } from "../shapes/text-delivery.ts";

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

/** Alerts that an operator must look at. One row per name, from the first time on until it is over. */
export const serviceAlerts = sqliteTable("service_alerts", {
  name: text().primaryKey(),
  reason: text().notNull(),
  since: integer().notNull(),
  /** When it is over by itself. */
  until: integer().notNull(),
});

/**
 * Texts of the last days, without what they say, so that the gateway's reports can be told from forged and repeated ones.
 * `account` is whom it was sent for.
 */
export const sentTexts = sqliteTable(
  "sent_texts",
  {
    id: text().primaryKey(),
    phoneNumber: text("phone_number").notNull(),
    account: text(),
    status: wordColumn("status", textStatus, "other").notNull(),
    sentAt: integer("sent_at").notNull(),
    reportedAt: integer("reported_at"),
    /** The service change that it tells of; null for what tells of none. */
    about: text(),
  },
  (table) => [
    index("sent_texts_sent_at").on(table.sentAt),
    index("sent_texts_account").on(table.account),
    index("sent_texts_about").on(table.about),
  ],
);

/** Numbers whose last text did not arrive. The row goes once one does. */
export const textFailures = sqliteTable(
  "text_failures",
  {
    phoneNumber: text("phone_number").primaryKey(),
    /** In a row, whatever the reason. */
    failures: integer().notNull(),
    /** Those of them that another try doesn't help. */
    permanentFailures: integer("permanent_failures").notNull(),
    problem: wordColumn("problem", textProblem, "other").notNull(),
    failedAt: integer("failed_at").notNull(),
    /** Since when no text is tried; null while they are. */
    pausedAt: integer("paused_at"),
  },
  (table) => [index("text_failures_failed_at").on(table.failedAt)],
);

/**
 * Every STOP and START, by the gateway's id of it, so that a repeated one changes nothing. The latest of a number counts.
 * Kept when an account is deleted, as long as it says STOP.
 */
export const textReplies = sqliteTable(
  "text_replies",
  {
    id: text().primaryKey(),
    phoneNumber: text("phone_number").notNull(),
    /** A word that we don't know counts as STOP. */
    word: wordColumn("word", textWord, "stop").notNull(),
    at: integer().notNull(),
  },
  (table) => [index("text_replies_phone_number").on(table.phoneNumber, table.at)],
);
