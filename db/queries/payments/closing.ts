import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { users } from "../../schema/drivers.ts";
import { payments } from "../../schema/payments.ts";
import { customerQuery, IN_PROGRESS, paymentInProgressQuery, type PaymentRow } from "./payments.ts";
import { turnOffStatements } from "./renewals.ts";

/** The payment and the customer of a driver who leaves that still have to be ended at the card processor. */
export type OpenAtProcessor = { current: PaymentRow | null; customerId: string | null };

/**
 * Turns a renewal off, and marks a payment in progress, which is refunded if it is paid after all; nobody can pay one without
 * an intent. Consent stays on record, with the time of its withdrawal. Safe to repeat.
 */
export async function beginClosing(db: Db, driverId: DriverId, now: EpochMs): Promise<OpenAtProcessor> {
  return readOpen(await db.batch(closingStatements(db, driverId, now)));
}

/** The same, for another batch. */
export function closingStatements(db: Db, driverId: DriverId, now: EpochMs) {
  return [
    paymentInProgressQuery(db, driverId),
    customerQuery(db, driverId),
    ...turnOffStatements(db, driverId, { now, where: sql`1` }),
    db
      .update(payments)
      .set({ orphanedAt: now, revision: sql`${payments.revision} + 1` })
      .where(
        and(
          eq(payments.driverId, driverId),
          inArray(payments.status, IN_PROGRESS),
          isNotNull(payments.intentId),
        ),
      ),
  ] as const;
}

/**
 * Takes the mark from a payment in progress where the account stays after all: then it is the driver's, and not refunded. The
 * batch that erases a driver marks it again.
 */
export async function unmarkPayment(db: Db, driverId: DriverId): Promise<void> {
  await db
    .update(payments)
    .set({ orphanedAt: null, revision: sql`${payments.revision} + 1` })
    .where(
      and(
        eq(payments.driverId, driverId),
        inArray(payments.status, IN_PROGRESS),
        isNotNull(payments.orphanedAt),
        sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${driverId})`,
      ),
    );
}

/** Reads the results of `closingStatements`. */
export function readOpen([[current], [customer]]: readonly [
  readonly PaymentRow[],
  readonly { customerId: string }[],
  ...unknown[],
]): OpenAtProcessor {
  return { current: current ?? null, customerId: customer?.customerId ?? null };
}
