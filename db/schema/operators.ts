import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { jsonColumn, wordColumn } from "../columns.ts";
import { actKind, operatorRole, readActFacts } from "../shapes/operators.ts";
import type { DriverId } from "../shapes/units.ts";

/**
 * Operators' acts: one row per act, written in the same batch as its effect. Triggers refuse every change and deletion.
 * It names a driver by the random id only, so that it stays when an account is deleted, like the ledgers.
 */
export const operatorActs = sqliteTable(
  "operator_acts",
  {
    /** The act's idempotency key. */
    id: text().primaryKey(),
    /** Unique to the call that wrote the row: guards the effects in the same batch. */
    attempt: text().notNull(),
    /** An e-mail address, or the client id of a service token. */
    operator: text().notNull(),
    role: wordColumn("role", operatorRole, "owner").notNull(),
    act: wordColumn("act", actKind, "other").notNull(),
    driverId: text("driver_id").$type<DriverId>(),
    /** The details: the figures that the operator entered. */
    what: jsonColumn("what", readActFacts).notNull(),
    reason: text().notNull(),
    before: jsonColumn("before", readActFacts).notNull(),
    after: jsonColumn("after", readActFacts).notNull(),
    /** The worth of the act, for the limit of support. */
    worthCents: integer("worth_cents").notNull(),
    at: integer().notNull(),
  },
  (table) => [
    index("operator_acts_at").on(table.at),
    index("operator_acts_driver").on(table.driverId, table.at),
  ],
);

/** Acts that wait for the yes of an owner who did not ask for them. */
export const operatorApprovals = sqliteTable(
  "operator_approvals",
  {
    /** The act's idempotency key, under which it is done. */
    id: text().primaryKey(),
    driverId: text("driver_id").$type<DriverId>().notNull(),
    act: wordColumn("act", actKind, "other").notNull(),
    /** The act as it was sent. It may hold a new phone number, and goes with the account. */
    input: text().notNull(),
    worthCents: integer("worth_cents").notNull(),
    operator: text().notNull(),
    role: wordColumn("role", operatorRole, "support").notNull(),
    askedAt: integer("asked_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    decidedBy: text("decided_by"),
    decidedAt: integer("decided_at"),
    isApproved: integer("is_approved", { mode: "boolean" }),
  },
  (table) => [
    index("operator_approvals_asked_at").on(table.askedAt),
    index("operator_approvals_driver").on(table.driverId),
  ],
);

/**
 * The rest of an act, outside of the database: written with the act, deleted once it is done, and retried every minute
 * until then.
 */
export const operatorOrders = sqliteTable(
  "operator_orders",
  {
    /** The act's id. */
    id: text().primaryKey(),
    kind: text().$type<"refund" | "unlink" | "erase">().notNull(),
    driverId: text("driver_id").$type<DriverId>().notNull(),
    paymentId: text("payment_id"),
    cents: integer(),
    /** The driver keeps days and points. */
    isGoodwill: integer("is_goodwill", { mode: "boolean" }).notNull().default(false),
    dueAt: integer("due_at").notNull(),
    /** How many of Stripe's idempotency keys are used up: a failure that it stored is repeated under its key for good. */
    keysUsed: integer("keys_used").notNull(),
  },
  (table) => [
    index("operator_orders_due_at").on(table.dueAt),
    index("operator_orders_payment").on(table.paymentId),
  ],
);
