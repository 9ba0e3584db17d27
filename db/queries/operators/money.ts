import { and, asc, desc, eq, gte, isNotNull, lt, notInArray, sql, type SQL } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { OPEN_DISPUTE_STATUSES } from "../../shapes/money/money-back.ts";
import type { Plan } from "../../shapes/money/plans.ts";
import type { Cents, EpochMs, Period } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { IN_OPEN_DISPUTES, paymentDisputes, serviceEnds } from "../../schema/money.ts";
import { paymentRefunds, payments, pointEntries } from "../../schema/payments.ts";
import { users } from "../../schema/drivers.ts";

const earlier = alias(payments, "earlier");

/** A calendar day in somebody's time zone. */
export type DaySpan = Period & { day: string };
/** A place in a list: the instant and the id of the last row on the page before. */
export type MoneyCursor = { at: EpochMs; id: string };
type Page = Period & { before: MoneyCursor | null; limit: number };

/** Income and costs of payments with money in some days, each currency apart, with their effects on points and drivers. */
export async function loadMoney(
  db: Db,
  { days, span, now }: { days: readonly DaySpan[]; span: Period; now: EpochMs },
) {
  const calendar = sql`json_each(${JSON.stringify(days)})`;
  const day = sql<string>`d.value ->> 'day'`;
  const inDay = (at: SQL) => sql`${at} >= (d.value ->> 'from') AND ${at} < (d.value ->> 'to')`;
  const costsMoney = sql`${payments.totalCents} > 0`;
  const isPaid = and(within(payments.settledAt, span), costsMoney);
  // Each driver once, however often they paid.
  const payers = db.selectDistinct({ driverId: payments.driverId }).from(payments).where(isPaid).as("payers");
  const hasPaidBefore = sql`EXISTS (SELECT 1 FROM ${payments} ${earlier} WHERE ${earlier.driverId} = ${payers.driverId}
    AND ${earlier.settledAt} < ${span.from} AND ${earlier.totalCents} > 0)`;
  const { currency } = payments;
  const { tookAt, returnedAt, isEffective, at: madeAt } = paymentRefunds;
  // Money that came back counts against the day on which it did: the days before stay as they were.
  const moved = (at: SQL, sign: 1 | -1, where: SQL) =>
    db
      .select({
        day,
        currency,
        plan: payments.plan,
        refundedCents: sql<Cents>`${sign} * sum(CASE WHEN ${paymentRefunds.kind} = 'refund' THEN ${paymentRefunds.cents} ELSE 0 END)`,
        disputedCents: sql<Cents>`${sign} * sum(CASE WHEN ${paymentRefunds.kind} = 'dispute' THEN ${paymentRefunds.cents} ELSE 0 END)`,
      })
      .from(sql`${calendar} AS d`)
      .crossJoin(paymentRefunds)
      .innerJoin(payments, eq(payments.id, paymentRefunds.paymentId))
      .where(and(inDay(at), where))
      .groupBy(day, currency, payments.plan);
  const [paid, taken, takenBefore, returned, fees, disputeFees, points, [paying], [lost]] = await db.batch([
    // One look into the index for each day.
    db
      .select({
        day,
        currency,
        plan: payments.plan,
        payments: sql<number>`count(*)`,
        cents: sql<Cents>`sum(${payments.totalCents})`,
      })
      .from(sql`${calendar} AS d`)
      .crossJoin(payments)
      .where(and(inDay(sql`${payments.settledAt}`), costsMoney))
      .groupBy(day, currency, payments.plan),
    moved(sql`${tookAt}`, 1, sql`1`),
    // From before it was stored when the money went.
    moved(sql`${madeAt}`, 1, sql`${tookAt} IS NULL AND ${isEffective}`),
    moved(sql`${returnedAt}`, -1, sql`1`),
    db
      .select({
        currency,
        cents: sql<Cents>`coalesce(sum(${payments.processorFeeCents}), 0)`,
        known: sql<number>`count(${payments.processorFeeCents})`,
        payments: sql<number>`count(*)`,
      })
      .from(payments)
      .where(isPaid)
      .groupBy(currency),
    db
      .select({ currency, cents: sql<Cents>`sum(${paymentDisputes.feeCents})` })
      .from(paymentDisputes)
      .innerJoin(payments, eq(payments.id, paymentDisputes.paymentId))
      .where(within(paymentDisputes.at, span))
      .groupBy(currency),
    db
      .select({
        kind: POINT_KIND,
        granted: sql<number>`sum(max(${pointEntries.points}, 0))`,
        spent: sql<number>`-sum(min(${pointEntries.points}, 0))`,
      })
      .from(pointEntries)
      .where(within(pointEntries.at, span))
      .groupBy(POINT_KIND),
    db
      .select({
        paying: sql<number>`count(*)`,
        returning: sql<number>`coalesce(sum(${hasPaidBefore}), 0)`,
      })
      .from(payers),
    db
      .select({ drivers: sql<number>`count(*)` })
      .from(serviceEnds)
      .where(
        and(
          within(serviceEnds.endsAt, { from: span.from, to: Math.min(span.to, now) }),
          sql`EXISTS (SELECT 1 FROM ${payments} WHERE ${payments.driverId} = ${serviceEnds.driverId}
            AND ${payments.settledAt} IS NOT NULL AND ${costsMoney})`,
        ),
      ),
  ]);
  return {
    paid,
    returned: [...taken, ...takenBefore, ...returned],
    fees,
    disputeFees,
    points,
    drivers: {
      paying: paying?.paying ?? 0,
      returning: paying?.returning ?? 0,
      lost: lost?.drivers ?? 0,
    },
  };
}

/**
 * The kind of an entry of the points ledger, by its source. `plans`: spent on plans, and released again where one was not
 * paid.
 */
const { source } = pointEntries;
const POINT_KIND = sql<PointKind>`CASE
  WHEN ${source} LIKE 'operator:%' THEN 'operator'
  WHEN ${source} LIKE 'reward:%' THEN 'redeemed'
  WHEN ${source} NOT LIKE 'payment:%' THEN 'other'
  WHEN ${source} LIKE '%:earned' THEN 'earned'
  WHEN ${source} LIKE '%:reserved' OR ${source} LIKE '%:retaken' OR ${source} LIKE '%:released' THEN 'plans'
  ELSE 'refunds' END`;
type PointKind = "operator" | "redeemed" | "other" | "earned" | "plans" | "refunds";

function within(at: SQLiteColumn, { from, to }: Period): SQL | undefined {
  return and(gte(at, from), lt(at, to));
}

/** The rows after those of the page before, in an order that is newest first. */
function after(at: SQLiteColumn, id: SQLiteColumn, { from, to, before }: Page): SQL | undefined {
  if (!before) return within(at, { from, to });
  return and(
    within(at, { from, to: Math.min(to, before.at + 1) }),
    sql`(${at}, ${id}) < (${before.at}, ${before.id})`,
  );
}

const driverFields = { driverId: payments.driverId, name: users.name };

/** Payments of money that went through in a span, newest first. */
export function listPaymentsIn(db: Db, page: Page) {
  return db
    .select({
      ...driverFields,
      id: payments.id,
      at: sql<EpochMs>`${payments.settledAt}`,
      plan: sql<Plan>`${payments.plan}`,
      status: payments.status,
      currency: payments.currency,
      totalCents: payments.totalCents,
      refundedCents: payments.refundedCents,
      processorFeeCents: payments.processorFeeCents,
      method: payments.method,
      receiptNumber: payments.receiptNumber,
    })
    .from(payments)
    .leftJoin(users, eq(users.id, payments.driverId))
    .where(and(isNotNull(payments.settledAt), after(payments.settledAt, payments.id, page)))
    .orderBy(desc(payments.settledAt), desc(payments.id))
    .limit(page.limit);
}

/** Refunds and lost disputes of a span, newest first. */
export function listRefundsIn(db: Db, page: Page) {
  return (
    db
      .select({
        ...driverFields,
        id: paymentRefunds.id,
        at: paymentRefunds.at,
        kind: paymentRefunds.kind,
        plan: sql<Plan>`${payments.plan}`,
        currency: payments.currency,
        cents: paymentRefunds.cents,
        totalCents: payments.totalCents,
        isEffective: paymentRefunds.isEffective,
      })
      .from(paymentRefunds)
      .innerJoin(payments, eq(payments.id, paymentRefunds.paymentId))
      .leftJoin(users, eq(users.id, payments.driverId))
      // A dispute is listed as what it is until it is lost.
      .where(
        and(
          after(paymentRefunds.at, paymentRefunds.id, page),
          sql`(${paymentRefunds.kind} = 'refund' OR ${paymentRefunds.isEffective})`,
        ),
      )
      .orderBy(desc(paymentRefunds.at), desc(paymentRefunds.id))
      .limit(page.limit)
  );
}

/** Disputes that are open, the soonest deadline first, then those of a span that are decided, newest first. */
export async function listDisputes(db: Db, { from, to, limit }: Period & { limit: number }) {
  const columns = {
    ...driverFields,
    id: paymentDisputes.id,
    paymentId: paymentDisputes.paymentId,
    intentId: payments.intentId,
    at: paymentDisputes.at,
    status: paymentDisputes.status,
    reason: paymentDisputes.reason,
    plan: sql<Plan>`${payments.plan}`,
    currency: payments.currency,
    cents: paymentDisputes.cents,
    feeCents: paymentDisputes.feeCents,
    dueAt: paymentDisputes.dueAt,
  };
  const [open, decided] = await db.batch([
    db
      .select(columns)
      .from(paymentDisputes)
      .innerJoin(payments, eq(payments.id, paymentDisputes.paymentId))
      .leftJoin(users, eq(users.id, payments.driverId))
      .where(sql`${paymentDisputes.status} ${IN_OPEN_DISPUTES}`)
      .orderBy(sql`${paymentDisputes.dueAt} IS NULL`, asc(paymentDisputes.dueAt), asc(paymentDisputes.at))
      .limit(limit),
    db
      .select(columns)
      .from(paymentDisputes)
      .innerJoin(payments, eq(payments.id, paymentDisputes.paymentId))
      .leftJoin(users, eq(users.id, payments.driverId))
      .where(
        and(
          within(paymentDisputes.at, { from, to }),
          notInArray(paymentDisputes.status, [...OPEN_DISPUTE_STATUSES]),
        ),
      )
      .orderBy(desc(paymentDisputes.at))
      .limit(limit),
  ]);
  return [...open, ...decided].slice(0, limit);
}
