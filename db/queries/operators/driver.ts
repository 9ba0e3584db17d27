import { and, asc, desc, eq, gt, inArray, isNull, sql, gte, like, lt, or, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { paymentStatus, plan } from "../../shapes/money/plans.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { poolUsers } from "../../schema/identity.ts";
import { discounts, payments } from "../../schema/payments.ts";
import { sentTexts } from "../../schema/texts.ts";
import { nameWords } from "../../shapes/name-words.ts";
import { driverNameWords, users } from "../../schema/drivers.ts";
import { serviceLedgerQuery } from "../payments/service-time.ts";
import { orderedCents } from "./orders.ts";

/** How many lines of a list an operator sees. The queries bring one more, if there is one. */
export const LISTED_LINES = 50;
/** Each costs a call of Stripe. */
const UNSETTLED_LIMIT = 10;

const paymentColumns = {
  id: payments.id,
  driverId: payments.driverId,
  intentId: payments.intentId,
  plan: payments.plan,
  status: payments.status,
  currency: payments.currency,
  totalCents: payments.totalCents,
  refundedCents: payments.refundedCents,
  orderedCents: orderedCents(payments.id),
  method: payments.method,
  methodBrand: payments.methodBrand,
  methodLast4: payments.methodLast4,
  receiptNumber: payments.receiptNumber,
  settledAt: payments.settledAt,
  createdAt: payments.createdAt,
  revision: payments.revision,
};

/** An operator's view of a driver beside record, filters and points, in one round trip. */
export async function loadDriverForOperator(db: Db, driverId: DriverId, now: EpochMs) {
  const [service, paid, prices, texts, [account]] = await db.batch([
    serviceLedgerQuery(db, driverId),
    db
      .select(paymentColumns)
      .from(payments)
      .where(
        and(
          eq(payments.driverId, driverId),
          inArray(payments.status, paymentStatus.options),
          inArray(payments.plan, plan.options),
        ),
      )
      .orderBy(desc(payments.createdAt))
      .limit(LISTED_LINES + 1),
    db
      .select()
      .from(discounts)
      .where(
        and(
          eq(discounts.driverId, driverId),
          gt(discounts.endsAt, now),
          inArray(discounts.plan, plan.options),
        ),
      )
      .orderBy(asc(discounts.endsAt)),
    db
      .select()
      .from(sentTexts)
      .where(eq(sentTexts.account, driverId))
      .orderBy(desc(sentTexts.sentAt))
      .limit(LISTED_LINES + 1),
    db.select({ enabled: poolUsers.enabled }).from(poolUsers).where(eq(poolUsers.id, driverId)),
  ]);
  return { service, payments: paid, prices, texts, isEnabled: account?.enabled ?? null };
}

/** A payment with what was ordered to be given back of it. */
export type PaymentForOperator = Awaited<ReturnType<typeof loadDriverForOperator>>["payments"][number];

/** A payment of a driver that money can be given back of; null if there is none. */
export async function loadPaymentForRefund(
  db: Db,
  { driverId, id }: { driverId: DriverId; id: string },
): Promise<PaymentForOperator | null> {
  const [row] = await db
    .select(paymentColumns)
    .from(payments)
    .where(and(eq(payments.id, id), eq(payments.driverId, driverId)));
  return row ?? null;
}

/** Payments of a driver that began since an instant and did not go through, as far as we know. */
export function listUnsettledPayments(db: Db, driverId: DriverId, since: EpochMs) {
  return db
    .select({ id: payments.id, intentId: payments.intentId })
    .from(payments)
    .where(and(eq(payments.driverId, driverId), gt(payments.createdAt, since), isNull(payments.settledAt)))
    .orderBy(desc(payments.createdAt))
    .limit(UNSETTLED_LIMIT);
}

/** That a payment is as it was read, and so much of it can be given back beside what is ordered already. */
export function canRefund({ id, revision }: { id: string; revision: number }, cents: number) {
  return sql`EXISTS (SELECT 1 FROM ${payments} WHERE ${payments.id} = ${id} AND ${payments.revision} = ${revision}
    AND ${payments.intentId} IS NOT NULL AND ${payments.status} IN ('settled', 'partly_refunded')
    AND ${payments.totalCents} - ${payments.refundedCents} - ${orderedCents(id)} >= ${cents})`;
}

/** The last letter that a text can hold: whatever begins with a prefix sorts before prefix and this. */
const LAST = "\u{10FFFF}";

const another = alias(driverNameWords, "another");

const columns = {
  id: users.id,
  name: users.name,
  phoneNumber: users.phoneNumber,
  flexEmail: users.flexEmail,
  humanRegion: users.humanRegion,
  isLinked: users.proxyInstalled,
  isSwitchedOn: users.switchedOn,
  createdAt: users.createdAt,
};

/** Drivers by a number in E.164, their account's or the one that they want texts at. */
export function findByNumber(db: Db, number: string, limit: number) {
  return select(db, or(eq(users.phoneNumber, number), eq(users.preferredPhoneNumber, number)), limit);
}

/** Drivers whose number ends with these digits, four at least; the newest first. */
export function findByEnd(db: Db, digits: string, limit: number) {
  const end = sql`substr(${users.phoneNumber}, -4) = ${digits.slice(-4)}`;
  return select(db, and(end, like(users.phoneNumber, `%${digits}`)), limit);
}

/** Drivers in whose name a word begins so, for each word that was typed, whatever its case and accents. */
export async function findByName(db: Db, typed: string, limit: number) {
  // The longest narrows down most.
  const [first, ...others] = nameWords(typed).toSorted((a, b) => b.length - a.length);
  if (first === undefined) return [];
  const { word, driverId } = driverNameWords;
  const has = (prefix: string, before: SQL = sql`${prefix + LAST}`) =>
    sql`EXISTS (SELECT 1 FROM ${driverNameWords} ${another}
      WHERE ${another.driverId} = ${driverId} AND ${another.word} >= ${prefix} AND ${another.word} < ${before})`;
  return db
    .select(columns)
    .from(driverNameWords)
    .innerJoin(users, eq(users.id, driverId))
    .where(
      and(
        gte(word, first),
        lt(word, first + LAST),
        // Each driver once, by the first of the words that begin so.
        sql`NOT ${has(first, sql`${word}`)}`,
        ...others.map((other) => has(other)),
      ),
    )
    .orderBy(asc(word), asc(driverId))
    .limit(limit);
}

/** Drivers whose e-mail address at the platform begins so. */
export function findByEmail(db: Db, prefix: string, limit: number) {
  const email = sql`${users.flexEmail} COLLATE NOCASE`;
  return select(db, and(gte(email, prefix), lt(email, prefix + LAST)), limit, asc(email));
}

function select(db: Db, where: SQL | undefined, limit: number, order: SQL = desc(users.createdAt)) {
  return db.select(columns).from(users).where(where).orderBy(order).limit(limit);
}
