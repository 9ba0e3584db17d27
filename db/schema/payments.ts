import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { DriverId } from "../shapes/units.ts";
import { jsonColumn, wordColumn } from "../columns.ts";
import type { ServiceChangeKind } from "../shapes/profile.ts";
import { DRAW_BY_SEED, readPrize } from "../shapes/money/raffle.ts";
import { discountKind, type DiscountKind, type PaymentStatus, type Plan } from "../shapes/money/plans.ts";

/** Ledger of reward points earned, spent or returned: one row per source. The balance is the sum. */
export const pointEntries = sqliteTable(
  "point_entries",
  {
    source: text().primaryKey(),
    driverId: text("driver_id").$type<DriverId>().notNull(),
    points: integer().notNull(),
    at: integer().notNull(),
  },
  (table) => [
    index("point_entries_driver").on(table.driverId, table.at),
    index("point_entries_at").on(table.at),
  ],
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
    /** The price that was quoted; null for payments from before prices had a history. */
    priceId: text("price_id"),
    /** Since when the bank has had it; null unless that is known. */
    processingAt: integer("processing_at"),
    /** Given to each payment that went through, in that order, without gaps. */
    receiptNumber: integer("receipt_number"),
    /** The tax that the total includes, as it was when the payment was prepared; null for none. */
    taxName: text("tax_name"),
    taxMillionths: integer("tax_millionths"),
    /** How it was paid, as Stripe names it (`card`, `link`); null for points and until it is known. */
    method: text(),
    methodBrand: text("method_brand"),
    methodLast4: text("method_last4"),
    /** When the driver's account was deleted with this payment in progress: paid all the same, it is refunded. */
    orphanedAt: integer("orphaned_at"),
    /** Stripe's id of what it was paid with; null for points and until it is known. */
    methodId: text("method_id"),
    /** The most that the driver agreed to be charged when service ends, and the version of the words; null for no renewal. */
    renewalCapCents: integer("renewal_cap_cents"),
    renewalWords: integer("renewal_words"),
    /** The consent by which it was charged without the driver; null for payments by hand. */
    renewalOf: text("renewal_of"),
    /** Stripe's fee for it, in the payment's currency; null for points, and until it is known. */
    processorFeeCents: integer("processor_fee_cents"),
    /** The same for every copy of one card, whoever pays with it; null for what is no card, and until it is known. */
    methodFingerprint: text("method_fingerprint"),
  },
  (table) => [
    uniqueIndex("payments_intent").on(table.intentId),
    uniqueIndex("payments_receipt_number").on(table.receiptNumber),
    // At most one payment in progress per driver, so that two tabs can't both pay.
    uniqueIndex("payments_under_way")
      .on(table.driverId)
      .where(sql`status IN ('open', 'processing')`),
    index("payments_driver").on(table.driverId, table.createdAt),
    index("payments_status").on(table.status, table.createdAt),
    // The reconciliation looks for these every hour: few of all that were paid.
    index("payments_orphaned")
      .on(table.status, table.createdAt)
      .where(sql`orphaned_at IS NOT NULL`),
    // All that a report of income reads of a payment, so that it reads no payments.
    index("payments_money").on(
      table.settledAt,
      table.totalCents,
      table.currency,
      table.plan,
      table.driverId,
      table.processorFeeCents,
    ),
    index("payments_fingerprint").on(table.methodFingerprint),
  ],
);

/** Money returned from a payment: refunds and disputes as Stripe has them, for receipts and the books. */
export const paymentRefunds = sqliteTable(
  "payment_refunds",
  {
    /** Stripe's id of the refund or dispute. */
    id: text().primaryKey(),
    paymentId: text("payment_id").notNull(),
    kind: text().$type<"refund" | "dispute">().notNull(),
    cents: integer().notNull(),
    at: integer().notNull(),
    /** False if it failed, was canceled or, as a dispute, is not lost: the money is ours. */
    isEffective: integer("is_effective", { mode: "boolean" }).notNull(),
    /** The driver keeps days and points all the same; false in rows from before it was stored. */
    isGoodwill: integer("is_goodwill", { mode: "boolean" }).notNull().default(false),
    /** When the money went: a refund's own instant, for a dispute when it was lost. Null before that, and in rows of before. */
    tookAt: integer("took_at"),
    /** When that money came back after all; null unless it did. */
    returnedAt: integer("returned_at"),
  },
  (table) => [
    index("payment_refunds_payment").on(table.paymentId),
    index("payment_refunds_at").on(table.at),
    index("payment_refunds_took_at").on(table.tookAt),
    index("payment_refunds_returned_at").on(table.returnedAt),
  ],
);

/**
 * The price history of plans, in cents, of each currency by itself. A plan's price is that of the row with the
 * latest `validFrom` that has begun; rows are added, never changed.
 */
export const plans = sqliteTable(
  "plans",
  {
    id: text().primaryKey(),
    plan: text().$type<Plan>().notNull(),
    priceCents: integer("price_cents").notNull(),
    validFrom: integer("valid_from").notNull(),
    currency: text().notNull().default("USD"),
  },
  (table) => [index("plans_plan").on(table.plan, table.validFrom)],
);

/** How often a driver made a call that costs a call of Stripe, in the present window. */
export const paymentCalls = sqliteTable("payment_calls", {
  /** `<call>:<driver>`. */
  subject: text().primaryKey(),
  windowEndsAt: integer("window_ends_at").notNull(),
  calls: integer().notNull(),
});

/** Signed events that are not handled yet. A row is written before the event is acknowledged and deleted once it is handled. */
export const pendingStripeEvents = sqliteTable(
  "pending_stripe_events",
  {
    id: text().primaryKey(),
    type: text().notNull(),
    intentId: text("intent_id").notNull(),
    tries: integer().notNull(),
    dueAt: integer("due_at").notNull(),
  },
  (table) => [index("pending_stripe_events_due_at").on(table.dueAt)],
);

/** Alerts that an operator must look at: money without service, or keys that Stripe refuses. Resolved once it is mended. */
export const paymentAlerts = sqliteTable(
  "payment_alerts",
  {
    /** Its subject, so that one fault is one row: `mismatch:<intent>`. */
    id: text().primaryKey(),
    kind: text().$type<PaymentAlertKind>().notNull(),
    intentId: text("intent_id"),
    paymentId: text("payment_id"),
    at: integer().notNull(),
    resolvedAt: integer("resolved_at"),
  },
  (table) => [index("payment_alerts_open").on(table.resolvedAt, table.at)],
);

/**
 * `mismatch`: paid, but not the payment or amount that we asked for. `unknown_payment`: paid for a payment that we
 * don't have. `unrefunded`: paid for a deleted account, and the refund was refused or failed. `fraud_warning`: the bank
 * reported fraud, which mostly becomes a dispute: a refund before that costs less. `second_intent`: a payment was paid
 * twice. `unknown_intent`: money came by an intent that names no payment of ours.
 */
export type PaymentAlertKind =
  | "mismatch"
  | "unknown_payment"
  | "unrefunded"
  | "fraud_warning"
  | "second_intent"
  | "unknown_intent";

/** A driver's Stripe customer id. */
export const stripeCustomers = sqliteTable("stripe_customers", {
  driverId: text("driver_id").$type<DriverId>().primaryKey(),
  customerId: text("customer_id").notNull(),
});

/** Every verified Stripe event, once: its type and intent, never its body. */
export const stripeEvents = sqliteTable(
  "stripe_events",
  {
    id: text().primaryKey(),
    type: text().notNull(),
    intentId: text("intent_id"),
    receivedAt: integer("received_at").notNull(),
  },
  (table) => [
    index("stripe_events_intent").on(table.intentId),
    index("stripe_events_received").on(table.receivedAt),
  ],
);

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
    currency: text().notNull().default("USD"),
  },
  (table) => [index("price_cuts_ends_at").on(table.endsAt)],
);

/**
 * A raffle: each full payment for its plan within its dates is one entry. `seedHash` is published beforehand
 * and `seed` with the draw, so that anyone can check the draw (db/shapes/money/raffle.ts).
 */
export const promotions = sqliteTable(
  "promotions",
  {
    id: text().primaryKey(),
    plan: text().$type<Plan>().notNull(),
    startsAt: integer("starts_at").notNull(),
    endsAt: integer("ends_at").notNull(),
    winners: integer().notNull(),
    seedHash: text("seed_hash").notNull(),
    seed: text(),
    /** The seed until the draw, sealed with the operator's passphrase; null if the operator keeps it. */
    sealedSeed: text("sealed_seed"),
    /** The winner's prize, in the three languages. */
    prize: jsonColumn("prize", readPrize),
    /** When the entries were closed for the draw: payments and refunds change them no more. */
    closedAt: integer("closed_at"),
    /** How it is drawn. Rows of earlier releases keep the rule that they were announced with. */
    drawVersion: integer("draw_version").notNull().default(DRAW_BY_SEED),
    /**
     * With the closing: the fingerprint of the entries, and the round of the beacon that nobody knows yet, by the key
     * of its chain.
     */
    entriesHash: text("entries_hash"),
    beaconRound: integer("beacon_round"),
    beaconKey: text("beacon_key"),
    /** With the draw. */
    beaconSignature: text("beacon_signature"),
    /** Null in rows that an earlier release drew. */
    drawnAt: integer("drawn_at"),
  },
  (table) => [index("promotions_ends_at").on(table.endsAt)],
);

/**
 * An entry of a raffle whose entries are closed, without a way back to its driver: what the public page shows after the
 * draw, for good.
 */
export const raffleTickets = sqliteTable(
  "raffle_tickets",
  {
    promotionId: text("promotion_id").notNull(),
    entry: text().notNull(),
    holder: text().notNull(),
    /** 1 for the first of the winners; null for an entry that did not win. */
    rank: integer(),
  },
  (table) => [primaryKey({ columns: [table.promotionId, table.entry] })],
);

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
export const undeliveredServiceChanges = sqliteTable(
  "service_news",
  {
    /** Unique id of the change, for example `payment:<id>:settled`. */
    source: text().primaryKey(),
    driverId: text("driver_id").$type<DriverId>().notNull(),
    kind: text().$type<ServiceChangeKind>().notNull(),
    at: integer().notNull(),
    /** The money that it is about; null in rows from before it was stored. */
    amountCents: integer("amount_cents"),
    currency: text(),
    /** Service time that it added or (negative) took back; null in rows from before it was stored. */
    changedMs: integer("changed_ms"),
    /** When a renewal will be charged; null for what is not about one. */
    chargeAt: integer("charge_at"),
  },
  (table) => [index("service_news_at").on(table.at), index("service_news_driver").on(table.driverId)],
);
