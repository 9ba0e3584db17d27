import { and, asc, eq, isNotNull, isNull, lte, sql, type SQL } from "drizzle-orm";
import type { ServiceChange } from "../../shapes/profile.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { undeliveredServiceChanges } from "../../schema/payments.ts";
import { renewalConsents, renewals } from "../../schema/renewal.ts";
import type { PaymentRow } from "./payments.ts";

export type RenewalRow = typeof renewals.$inferSelect;

/** A driver's renewal; null if they never agreed to one. */
export async function loadRenewal(db: Db, driverId: DriverId): Promise<RenewalRow | null> {
  const [row] = await db.select().from(renewals).where(eq(renewals.driverId, driverId));
  return row ?? null;
}

/** Drivers whose renewal has something to do, the longest waiting first. */
export async function listDueRenewals(
  db: Db,
  { now, limit }: { now: EpochMs; limit: number },
): Promise<DriverId[]> {
  const rows = await db
    .select({ driverId: renewals.driverId })
    .from(renewals)
    .where(and(isNotNull(renewals.dueAt), lte(renewals.dueAt, now)))
    .orderBy(asc(renewals.dueAt))
    .limit(limit);
  return rows.map(({ driverId }) => driverId);
}

/**
 * Claims a due renewal, so that nobody else handles it: it is due again `until`, should the caller break off.
 * @returns the claimed row, or null if it is off, not due, or claimed by another call
 */
export async function claimRenewal(
  db: Db,
  driverId: DriverId,
  { now, until }: { now: EpochMs; until: EpochMs },
): Promise<RenewalRow | null> {
  const [row] = await db
    .update(renewals)
    .set({ dueAt: until, tries: sql`${renewals.tries} + 1`, revision: sql`${renewals.revision} + 1` })
    .where(and(eq(renewals.driverId, driverId), eq(renewals.status, "on"), lte(renewals.dueAt, now)))
    .returning();
  return row ?? null;
}

/** What a call writes that has claimed the renewal. */
export type RenewalChange = Partial<
  Pick<RenewalRow, "status" | "pause" | "dueAt" | "tries" | "noticedEnd" | "noticedAt" | "noticedCents">
>;

/**
 * Writes a change of a claimed renewal, and what the driver is told of it, in one batch.
 * @returns false if the driver turned it off or another call claimed it since
 */
export async function storeRenewal(
  db: Db,
  { driverId, revision }: RenewalRow,
  { change, news, now }: { change: RenewalChange; news: ServiceChange | null; now: EpochMs },
): Promise<boolean> {
  const isMine = sql`EXISTS (SELECT 1 FROM renewals WHERE driver_id = ${driverId} AND revision = ${revision})`;
  const save = db
    .update(renewals)
    .set({ ...change, revision: revision + 1 })
    .where(and(eq(renewals.driverId, driverId), eq(renewals.revision, revision)))
    .returning({ driverId: renewals.driverId });
  const results = news
    ? await db.batch([newsInsert(db, driverId, { news, now, where: isMine }), save])
    : await db.batch([save]);
  const saved: unknown = results.at(-1);
  return Array.isArray(saved) && saved.length === 1;
}

function newsInsert(
  db: Db,
  driverId: DriverId,
  { news, now, where }: { news: ServiceChange; now: EpochMs; where: SQL },
) {
  const { source, kind, money, changedMs, chargeAt } = news;
  return db
    .insert(undeliveredServiceChanges)
    .select(
      sql`SELECT ${source}, ${driverId}, ${kind}, ${now}, ${money?.cents ?? null}, ${money?.currency ?? null}, ${changedMs}, ${chargeAt ?? null}
        WHERE ${where}`,
    )
    .onConflictDoNothing();
}

/** Turns a renewal off. What was agreed stays on record, with when it was taken back. Safe to repeat. */
export async function turnRenewalOff(db: Db, driverId: DriverId, now: EpochMs): Promise<void> {
  await db.batch([
    withdrawConsents(db, driverId, now),
    db
      .update(renewals)
      .set({ status: "off", pause: null, dueAt: null, revision: sql`${renewals.revision} + 1` })
      .where(eq(renewals.driverId, driverId)),
  ]);
}

/**
 * Turns a renewal on again, by a new consent to the same plan and cap.
 * @returns false if it is not there, is on already, or plan and cap are others by now
 */
export async function turnRenewalOn(
  db: Db,
  { driverId, plan, capCents }: Pick<RenewalRow, "driverId" | "plan" | "capCents">,
  { words, now }: { words: number; now: EpochMs },
): Promise<boolean> {
  const id = crypto.randomUUID();
  const isSame = and(
    eq(renewals.driverId, driverId),
    eq(renewals.plan, plan),
    eq(renewals.capCents, capCents),
    sql`${renewals.status} <> 'on'`,
  );
  const [, , turned] = await db.batch([
    withdrawConsents(db, driverId, now),
    db
      .insert(renewalConsents)
      .select(
        sql`SELECT ${id}, driver_id, ${now}, plan, cap_cents, currency, ${words}, NULL FROM ${renewals} WHERE ${isSame}`,
      ),
    db
      .update(renewals)
      .set({
        status: "on",
        consentId: id,
        dueAt: now,
        tries: 0,
        revision: sql`${renewals.revision} + 1`,
        // Told again after a pause; an undone 'off' was told already.
        noticedEnd: sql`CASE WHEN ${renewals.pause} IS NULL THEN ${renewals.noticedEnd} END`,
        pause: null,
      })
      .where(isSame)
      .returning({ driverId: renewals.driverId }),
  ]);
  return turned.length === 1;
}

function withdrawConsents(db: Db, driverId: DriverId, now: EpochMs, where: SQL = sql`1`) {
  return db
    .update(renewalConsents)
    .set({ withdrawnAt: now })
    .where(and(eq(renewalConsents.driverId, driverId), isNull(renewalConsents.withdrawnAt), where));
}

/** What a driver agreed to with a payment: it begins when the payment goes through, with what it was paid with. */
export type PaidConsent = {
  methodId: string;
  method: string;
  methodBrand: string | null;
  methodLast4: string | null;
};

/** The statements that begin the renewal agreed to with a payment, under a condition. */
export function consentStatements(
  db: Db,
  payment: PaymentRow,
  { consent, now, where }: { consent: PaidConsent; now: EpochMs; where: SQL },
) {
  const { id, driverId, plan, currency, renewalCapCents, renewalWords } = payment;
  const consentId = `payment-${id}`;
  const { methodId, method, methodBrand, methodLast4 } = consent;
  return [
    withdrawConsents(db, driverId, now, where),
    db
      .insert(renewalConsents)
      .select(
        sql`SELECT ${consentId}, ${driverId}, ${now}, ${plan}, ${renewalCapCents}, ${currency}, ${renewalWords}, NULL WHERE ${where}`,
      )
      .onConflictDoNothing(),
    db
      .insert(renewals)
      .select(
        sql`SELECT ${driverId}, 'on', NULL, ${plan}, ${renewalCapCents}, ${currency}, ${consentId}, ${methodId}, ${method}, ${methodBrand}, ${methodLast4}, NULL, NULL, NULL, ${now}, 0, 1
          WHERE ${where}`,
      )
      .onConflictDoUpdate({
        target: renewals.driverId,
        set: {
          status: "on",
          pause: null,
          plan,
          capCents: sql`excluded.cap_cents`,
          currency,
          consentId,
          ...consent,
          noticedEnd: null,
          noticedAt: null,
          noticedCents: null,
          dueAt: now,
          tries: 0,
          revision: sql`${renewals.revision} + 1`,
        },
      }),
  ];
}

/** The end of service has moved: a renewal that is on looks at it anew. */
export function wakeRenewal(db: Db, driverId: DriverId, { now, where }: { now: EpochMs; where: SQL }) {
  return db
    .update(renewals)
    .set({ dueAt: now, tries: 0 })
    .where(and(eq(renewals.driverId, driverId), eq(renewals.status, "on"), where));
}
