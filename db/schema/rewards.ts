import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Reward } from "../shapes/money/rewards.ts";
import type { DriverId } from "../shapes/units.ts";

/** Redemptions of points, one per id: `<driver>:<idempotency key>`. Its ledger entries are `reward:<id>`. */
export const rewardRedemptions = sqliteTable(
  "reward_redemptions",
  {
    id: text().primaryKey(),
    driverId: text("driver_id").$type<DriverId>().notNull(),
    reward: text().$type<Reward>().notNull(),
    points: integer().notNull(),
    at: integer().notNull(),
  },
  (table) => [index("reward_redemptions_driver").on(table.driverId)],
);

/** The referral that a driver's link has, instead of anything that names the driver. */
export const inviteCodes = sqliteTable(
  "invite_codes",
  { driverId: text("driver_id").$type<DriverId>().primaryKey(), code: text().notNull() },
  (table) => [uniqueIndex("invite_codes_code").on(table.code)],
);

/** One friend of one inviter. */
export const invitations = sqliteTable(
  "invitations",
  {
    id: text().primaryKey(),
    inviterId: text("inviter_id").$type<DriverId>().notNull(),
    /** The number that the inviter entered; null for a friend who came by the link. */
    phoneNumber: text("phone_number"),
    /** The friend's account once it is registered. */
    friendId: text("friend_id").$type<DriverId>(),
    /** The inviter spent points on a day of service for the friend. */
    hasTrial: integer("has_trial", { mode: "boolean" }).notNull(),
    /** The friend's paid plan that the inviter's free days come from. */
    paymentId: text("payment_id"),
    completedAt: integer("completed_at"),
    /** Since when the free days are taken back, because that plan was refunded. */
    revokedAt: integer("revoked_at"),
    /** How often they were taken back: part of their source in the service ledger. */
    revocations: integer().notNull(),
    createdAt: integer("created_at").notNull(),
    /** Why inviter and friend are taken for one person, which earns nothing; null where they are not. For operators alone. */
    withheld: text().$type<"same_card" | "same_account" | "same_device">(),
  },
  (table) => [
    uniqueIndex("invitations_inviter_number").on(table.inviterId, table.phoneNumber),
    uniqueIndex("invitations_friend").on(table.friendId),
    uniqueIndex("invitations_payment").on(table.paymentId),
    index("invitations_number").on(table.phoneNumber),
  ],
);

/**
 * The browsers in which a driver registered or linked the platform, each as the hash of a random id that it keeps: to notice
 * who invites themselves, and for nothing else.
 */
export const driverDevices = sqliteTable(
  "driver_devices",
  {
    driverId: text("driver_id").$type<DriverId>().notNull(),
    deviceHash: text("device_hash").notNull(),
    at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.driverId, table.deviceHash] }),
    index("driver_devices_hash").on(table.deviceHash),
  ],
);

/**
 * Events that happen once per number, whoever invites it and however often it registers: our one text, a trial, and the
 * inviter's free days. It outlives invitations and accounts, since it would be worth nothing otherwise.
 */
export const invitedNumbers = sqliteTable("invited_numbers", {
  phoneNumber: text("phone_number").primaryKey(),
  /** 0 for a text that was refused for good. */
  textedAt: integer("texted_at"),
  trialAt: integer("trial_at"),
  rewardedAt: integer("rewarded_at"),
});

/** A driver's feedback about the service. `score` is null where they skipped the question. */
export const feedback = sqliteTable(
  "feedback",
  {
    id: text().primaryKey(),
    driverId: text("driver_id").$type<DriverId>().notNull(),
    score: integer(),
    comment: text(),
    at: integer().notNull(),
  },
  (table) => [
    index("feedback_driver").on(table.driverId, table.at),
    // For operators: scores by week, and comments.
    index("feedback_at").on(table.at, table.score),
    index("feedback_comments")
      .on(table.at, table.id)
      .where(sql`comment IS NOT NULL`),
  ],
);

/** The numbers that a driver asked to invite in the last day: a number counts once, however often it is sent. */
export const inviteTries = sqliteTable(
  "invite_tries",
  {
    driverId: text("driver_id").$type<DriverId>().notNull(),
    phoneNumber: text("phone_number").notNull(),
    /** The first time. */
    at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.driverId, table.phoneNumber] })],
);
