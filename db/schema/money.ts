import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { wordColumn } from "../columns.ts";
import { disputeStatus } from "../shapes/money/disputes.ts";
import type { DriverId } from "../shapes/units.ts";

/** The statuses of the disputes that an index of their own has: the bank waits for evidence, or decides. Queries must ask in these words. */
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
