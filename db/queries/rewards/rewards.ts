import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { PLAN_DAYS, type PlanForSale } from "../../shapes/money/plans.ts";
import { POINTS_COST, type Reward } from "../../shapes/money/rewards.ts";
import { DAY_MS, type DriverId, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertFrom, insertWhere } from "../../insert-where.ts";
import { pointEntries } from "../../schema/payments.ts";
import { invitations, invitedNumbers, rewardRedemptions } from "../../schema/rewards.ts";
import { serviceCredits, users } from "../../schema/drivers.ts";
import { driverQueries, readDriver, type DriverRecord } from "../accounts/drivers.ts";
import { pointBalance } from "./points.ts";
import { atAfterLedger } from "../payments/service-time.ts";

/** The driver who redeems. */
const own = alias(users, "own");

/** How much of the ledger is shown. */
const LEDGER_LIMIT = 100;

export type PointEntryRow = typeof pointEntries.$inferSelect;
export type RedemptionRow = typeof rewardRedemptions.$inferSelect;

/** A driver's points: the balance, the newest entries, and what redeemed ones were for. */
export async function loadPointsLedger(
  db: Db,
  driverId: DriverId,
): Promise<{ points: number; entries: PointEntryRow[]; redemptions: RedemptionRow[] }> {
  const [[balance], entries, redemptions] = await db.batch([
    balanceQuery(db, driverId),
    db
      .select()
      .from(pointEntries)
      .where(eq(pointEntries.driverId, driverId))
      .orderBy(desc(pointEntries.at), sql`${pointEntries}.rowid DESC`)
      .limit(LEDGER_LIMIT),
    db
      .select()
      .from(rewardRedemptions)
      .where(eq(rewardRedemptions.driverId, driverId))
      .orderBy(desc(rewardRedemptions.at))
      .limit(LEDGER_LIMIT),
  ]);
  return { points: balance?.points ?? 0, entries, redemptions };
}

export async function loadRedemption(db: Db, id: string): Promise<RedemptionRow | null> {
  const [row] = await redemptionQuery(db, id);
  return row ?? null;
}

function redemptionQuery(db: Db, id: string) {
  return db.select().from(rewardRedemptions).where(eq(rewardRedemptions.id, id));
}

function balanceQuery(db: Db, driverId: DriverId) {
  return db
    .select({ points: sql<number>`coalesce(sum(${pointEntries.points}), 0)` })
    .from(pointEntries)
    .where(eq(pointEntries.driverId, driverId));
}

type Redemption = { id: string; driverId: DriverId; now: EpochMs };

/** A redemption after a call, and its driver. */
export type RedeemedService = {
  isClaimed: boolean;
  /** The reward that the id stands for, redeemed now or before. */
  known: RedemptionRow | null;
  record: DriverRecord | null;
  points: number;
};

/**
 * Redeems points for days of service: the claim, both ledgers and the record's revision in one batch, which also reads what
 * there is after it. Nothing happens if the id was redeemed before, the points are short, or the driver waits for a spot.
 */
export async function redeemService(
  db: Db,
  redemption: Redemption & { plan: PlanForSale },
): Promise<RedeemedService> {
  const { id, driverId } = redemption;
  const [claimed, , , , [known], [balance], ...rows] = await db.batch([
    ...redeemServiceStatements(db, redemption),
    redemptionQuery(db, id),
    balanceQuery(db, driverId),
    ...driverQueries(db, driverId),
  ]);
  return {
    isClaimed: claimed.length === 1,
    known: known ?? null,
    record: readDriver(rows),
    points: balance?.points ?? 0,
  };
}

function redeemServiceStatements(db: Db, { id, driverId, now, plan }: Redemption & { plan: PlanForSale }) {
  const source = `reward:${id}`;
  const isRedeemed = isRedeemedFor(id, plan);
  return [
    claim(db, { id, driverId, now, reward: plan, only: sql`${own.waitingForSpot} = 0` }),
    spend(db, { id, driverId, now, reward: plan }),
    insertWhere(
      db,
      serviceCredits,
      {
        source,
        driverId,
        durationMs: PLAN_DAYS[plan] * DAY_MS,
        at: atAfterLedger(sql`${driverId}`, now),
      },
      isRedeemed,
    ).onConflictDoNothing(),
    db
      .update(users)
      .set({ revision: sql`${users.revision} + 1` })
      .where(and(eq(users.id, driverId), isRedeemed)),
  ] as const;
}

/**
 * Redeems points for a friend's trial, which an invitation of that number keeps until it registers. Nothing happens if
 * the id was redeemed before, the points are short, the number is registered, or somebody gave it a trial already.
 * @returns whether it was redeemed now
 */
export async function redeemTrial(
  db: Db,
  {
    id,
    driverId,
    now,
    phoneNumber,
    invitationId,
  }: Redemption & { phoneNumber: string; invitationId: string },
): Promise<boolean> {
  const reward = "friend_invitation";
  const only = sql`NOT EXISTS (SELECT 1 FROM ${users} WHERE ${users.phoneNumber} = ${phoneNumber})
    AND NOT EXISTS (SELECT 1 FROM ${invitations}
      WHERE ${invitations.phoneNumber} = ${phoneNumber} AND ${invitations.hasTrial} = 1)
    AND NOT EXISTS (SELECT 1 FROM ${invitedNumbers}
      WHERE ${invitedNumbers.phoneNumber} = ${phoneNumber} AND ${invitedNumbers.trialAt} IS NOT NULL)`;
  // Redeemed by this batch: a repeated call finds its ledger entry, and adds no trial to another number.
  const isNew = sql`${isRedeemedFor(id, reward)}
    AND NOT EXISTS (SELECT 1 FROM ${pointEntries} WHERE ${pointEntries.source} = ${`reward:${id}`})`;
  const [claimed] = await db.batch([
    claim(db, { id, driverId, now, reward, only }),
    insertWhere(
      db,
      invitations,
      { id: invitationId, inviterId: driverId, phoneNumber, hasTrial: true, revocations: 0, createdAt: now },
      isNew,
    ).onConflictDoUpdate({
      target: [invitations.inviterId, invitations.phoneNumber],
      set: { hasTrial: true },
    }),
    spend(db, { id, driverId, now, reward }),
  ]);
  return claimed.length === 1;
}

function claim(db: Db, { id, driverId, now, reward, only }: Redemption & { reward: Reward; only: SQL }) {
  const cost = POINTS_COST[reward];
  return insertFrom(
    db,
    rewardRedemptions,
    { id, driverId: sql`${own.id}`, reward, points: cost, at: now },
    sql`FROM ${users} ${own} WHERE ${own.id} = ${driverId} AND ${only} AND ${pointBalance(driverId)} >= ${cost}`,
  )
    .onConflictDoNothing()
    .returning({ id: rewardRedemptions.id });
}

function spend(db: Db, { id, driverId, now, reward }: Redemption & { reward: Reward }) {
  const entry = { source: `reward:${id}`, driverId, points: -POINTS_COST[reward], at: now };
  return insertWhere(db, pointEntries, entry, isRedeemedFor(id, reward)).onConflictDoNothing();
}

function isRedeemedFor(id: string, reward: Reward): SQL {
  return sql`EXISTS (SELECT 1 FROM ${rewardRedemptions}
    WHERE ${rewardRedemptions.id} = ${id} AND ${rewardRedemptions.reward} = ${reward})`;
}
