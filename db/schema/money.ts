import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { wordColumn } from "../columns.ts";
import type { JournalAccount } from "../shapes/money/journal.ts";
import { disputeStatus } from "../shapes/money/money-back.ts";
import type { DriverId } from "../shapes/units.ts";

/**
 * The statuses of the disputes that an index of their own has: the bank waits for evidence, or decides. Queries must
 * ask in these words.
 */
export const IN_OPEN_DISPUTES = sql`IN ('warning_needs_response', 'needs_response', 'warning_under_review', 'under_review')`;

/**
 * Our copy of each dispute and inquiry of a bank, for whoever has to answer it. `payment_refunds` has the days that it
 * takes back.
 */
export const paymentDisputes = sqliteTable(
  "payment_disputes",
  {
    /** Stripe's id. */
    id: text().primaryKey(),
    paymentId: text("payment_id").notNull(),
    status: wordColumn("status", disputeStatus, "other").notNull(),
    /** Why, in Stripe's words. */
    reason: text().notNull(),
    cents: integer().notNull(),
    /** Stripe's charge for it, beside the money itself. */
    feeCents: integer("fee_cents").notNull(),
    /** Until when evidence is taken; null where none is. */
    dueAt: integer("due_at"),
    at: integer().notNull(),
  },
  (table) => [
    index("payment_disputes_payment").on(table.paymentId),
    index("payment_disputes_open")
      .on(table.dueAt)
      .where(sql`status ${IN_OPEN_DISPUTES}`),
    index("payment_disputes_at").on(table.at),
  ],
);

/**
 * Disputes, inquiries and early fraud warnings, by the card that they are about: it is not charged without its owner
 * until they have paid with it again, and never where a dispute was lost as fraud.
 */
export const cardReports = sqliteTable(
  "card_reports",
  {
    /** Stripe's id of the dispute or warning. */
    id: text().primaryKey(),
    paymentId: text("payment_id").notNull(),
    kind: text().$type<"dispute" | "warning">().notNull(),
    fingerprint: text(),
    methodId: text("method_id"),
    at: integer().notNull(),
    /** Lost as fraud. */
    isFinal: integer("is_final", { mode: "boolean" }).notNull(),
    /** When the card's owner paid with it again. */
    clearedAt: integer("cleared_at"),
  },
  (table) => [
    index("card_reports_fingerprint").on(table.fingerprint),
    index("card_reports_method").on(table.methodId),
    index("card_reports_payment").on(table.paymentId),
  ],
);

/**
 * When each driver's service ends or ended, as the service ledger says. A trigger on that ledger keeps it, whoever writes
 * there, so that drivers whose service ended in a span are found without reading all ledgers.
 */
export const serviceEnds = sqliteTable(
  "service_ends",
  {
    driverId: text("driver_id").$type<DriverId>().primaryKey(),
    endsAt: integer("ends_at").notNull(),
    /** The last entry that was counted. */
    changedMs: integer("changed_ms").notNull(),
    at: integer().notNull(),
  },
  (table) => [index("service_ends_ends_at").on(table.endsAt)],
);

/**
 * The double-entry journal: each effect on money, service or points as lines that add up to nothing, written in the batch
 * of the effect. The two ledgers of drivers have triggers that book each of their entries, whoever writes there. Triggers
 * refuse every change and deletion; what comes later is a new entry on the day on which it came.
 */
export const journal = sqliteTable(
  "journal",
  {
    entry: text().notNull(),
    account: text().$type<JournalAccount>().notNull(),
    /** A currency, in cents, or `ms` or `points`. */
    unit: text().notNull(),
    /** A debit is positive, a credit negative. */
    amount: integer().notNull(),
    paymentId: text("payment_id"),
    /** Days since 1970 in UTC: never one that is closed. */
    day: integer().notNull(),
    at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.entry, table.account, table.unit] }),
    index("journal_day").on(table.day, table.account),
    index("journal_payment").on(table.paymentId),
  ],
);

/** Days of the journal that are closed: nothing is booked on them any more. */
export const journalDays = sqliteTable("journal_days", {
  day: integer().primaryKey(),
  closedAt: integer("closed_at").notNull(),
});

/**
 * The sums of all accounts up to a day that is closed, written as it closes: whoever adds up the journal reads the last of them
 * and the lines after it. Days that a former release closed have none.
 */
export const journalBalances = sqliteTable(
  "journal_balances",
  {
    day: integer().notNull(),
    account: text().$type<JournalAccount>().notNull(),
    unit: text().notNull(),
    /** Whether these lines moved service time that was over, or was used before an entry could take it. */
    isUse: integer("is_use", { mode: "boolean" }).notNull(),
    amount: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.account, table.unit, table.isUse] })],
);
