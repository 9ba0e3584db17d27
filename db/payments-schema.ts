import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { DriverId } from "./shapes/units.ts";
import { wordColumn } from "./columns.ts";
import { discountKind, type DiscountKind, type PaymentStatus, type Plan } from "./shapes/plans.ts";

/** Ledger of reward points earned, spent or returned: one row per source. The balance is the sum. */
export const pointEntries = sqliteTable(
  "point_entries",
  {
    source: text().primaryKey(),
    driverId: text("driver_id").$type<DriverId>().notNull(),
    points: integer().notNull(),
    at: integer().notNull(),
  },
  (table) => [index("point_entries_driver").on(table.driverId, table.at)],
);

/**
 * Our copy of a payment; Stripe is the source of truth. The row is written when the payment is prepared, with
 * the breakdown that the driver saw, so that we settle what the driver agreed to.
 */
export const payments = sqliteTable(
  "payments",
  {
    id: text().primaryKey(),
    driverId: text("driver_id").$type<DriverId>().notNull(),
    /** Null if points cover the whole price. */
    intentId: text("intent_id"),
    plan: text().$type<Plan>().notNull(),
    status: text().$type<PaymentStatus>().notNull(),
    currency: text().notNull(),
    priceCents: integer("price_cents").notNull(),
    discountId: text("cut_id"),
    discountKind: wordColumn("cut_kind", discountKind, null),
    discountEndsAt: integer("cut_ends_at"),
    discountCents: integer("cut_cents").notNull(),
    points: integer().notNull(),
    pointsCents: integer("points_cents").notNull(),
    feeCents: integer("fee_cents").notNull(),
    totalCents: integer("total_cents").notNull(),
    refundedCents: integer("refunded_cents").notNull(),
    receiptUrl: text("receipt_url"),
    createdAt: integer("created_at").notNull(),
    settledAt: integer("settled_at"),
    /** Incremented by every write, for optimistic locking. */
    revision: integer().notNull(),
  },
  (table) => [
    uniqueIndex("payments_intent").on(table.intentId),
    // At most one payment in progress per driver, so that two tabs can't both pay.
    uniqueIndex("payments_under_way")
      .on(table.driverId)
      .where(sql`status IN ('open', 'processing')`),
    index("payments_driver").on(table.driverId, table.createdAt),
    index("payments_status").on(table.status, table.createdAt),
  ],
);

/** A driver's Stripe customer id. */
export const stripeCustomers = sqliteTable("stripe_customers", {
  driverId: text("driver_id").$type<DriverId>().primaryKey(),
  customerId: text("customer_id").notNull(),
});

/** Every verified Stripe event, once: its type and intent, never its body. */
export const stripeEvents = sqliteTable("stripe_events", {
  id: text().primaryKey(),
  type: text().notNull(),
  intentId: text("intent_id"),
  receivedAt: integer("received_at").notNull(),
});

/** A lower price for a plan between two instants, for one driver or (`driverId` null) for all. */
export const discounts = sqliteTable(
  "price_cuts",
  {
    id: text().primaryKey(),
    kind: text().$type<DiscountKind>().notNull(),
    plan: text().$type<Plan>().notNull(),
    priceCents: integer("price_cents").notNull(),
    driverId: text("driver_id").$type<DriverId>(),
    startsAt: integer("starts_at").notNull(),
    endsAt: integer("ends_at").notNull(),
  },
  (table) => [index("price_cuts_ends_at").on(table.endsAt)],
);

/**
 * A raffle: each full payment for its plan within its dates is one entry. `seedHash` is published beforehand
 * and `seed` with the draw, so that anyone can verify the draw.
 */
export const promotions = sqliteTable("promotions", {
  id: text().primaryKey(),
  plan: text().$type<Plan>().notNull(),
  startsAt: integer("starts_at").notNull(),
  endsAt: integer("ends_at").notNull(),
  winners: integer().notNull(),
  seedHash: text("seed_hash").notNull(),
  seed: text(),
});

export const raffleEntries = sqliteTable(
  "raffle_entries",
  {
    promotionId: text("promotion_id").notNull(),
    paymentId: text("payment_id").notNull(),
    driverId: text("driver_id").$type<DriverId>().notNull(),
    at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.promotionId, table.paymentId] }),
    index("raffle_entries_driver").on(table.driverId),
  ],
);

/** Service changes that the driver's object has not received yet. A row is deleted once it is delivered. */
export const undeliveredServiceChanges = sqliteTable("service_news", {
  /** Unique id of the change, for example `payment:<id>:settled`. */
  source: text().primaryKey(),
  driverId: text("driver_id").$type<DriverId>().notNull(),
  kind: text().$type<"paid" | "refunded" | "disputed">().notNull(),
  at: integer().notNull(),
});
