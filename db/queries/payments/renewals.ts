import { and, asc, count, eq, inArray, isNotNull, isNull, lte, not, or, sql, type SQL } from "drizzle-orm";
import type { ServiceChange } from "../../shapes/profile.ts";
import { DAY_MS, type Cents, type DriverId, type EpochMs } from "../../shapes/units.ts";
import { PLAN_DAYS } from "../../shapes/money/plans.ts";
import { CONSENT_SOURCE } from "../../shapes/money/renewal.ts";
import type { Db } from "../../client.ts";
import { excluded, isAmong, jsonRows } from "../../expressions.ts";
import { insertFrom, insertWhere } from "../../insert-where.ts";
import { undeliveredServiceChanges } from "../../schema/payments.ts";
import { renewalConsents, renewals } from "../../schema/renewal.ts";
import { isCardReported, reportedRenewal } from "./renewal-guards.ts";
import { paymentInProgressQuery, type PaymentRow } from "./payments.ts";
import { serviceChangeStatement, serviceChangesStatement } from "./service-changes.ts";

export type RenewalRow = typeof renewals.$inferSelect;

/** A driver's renewal; null if they never agreed to one. */
export async function loadRenewal(db: Db, driverId: DriverId): Promise<RenewalRow | null> {
  const [row] = await db.select().from(renewals).where(eq(renewals.driverId, driverId));
  return row ?? null;
}

/** Drivers whose renewal is due, longest waiting first. */
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
 * Renewals whose checks failed for about three hours: tries come after five minutes, ten, twenty, forty, and then every hour.
 */
export async function countFailingRenewals(db: Db): Promise<number> {
  const [row] = await db
    .select({ failing: count() })
    .from(renewals)
    .where(sql`${renewals.status} = 'on' AND ${renewals.tries} >= 7`);
  return row?.failing ?? 0;
}

/** A due renewal that is kept for one caller, as it was then. */
export type LeasedRenewal = Pick<RenewalRow, "driverId" | "revision">;

/** Leases due renewals to the caller, longest waiting first: they are due again at `until` if nobody claims them by then. */
export function leaseDueRenewals(
  db: Db,
  { now, until, limit }: { now: EpochMs; until: EpochMs; limit: number },
): Promise<LeasedRenewal[]> {
  const due = db
    .select({ driverId: renewals.driverId })
    .from(renewals)
    .where(lte(renewals.dueAt, now))
    .orderBy(asc(renewals.dueAt))
    .limit(limit);
  return db
    .update(renewals)
    .set({ dueAt: until })
    .where(inArray(renewals.driverId, due))
    .returning({ driverId: renewals.driverId, revision: renewals.revision });
}

/**
 * Claims a due renewal, so that nobody else handles it: it is due again at `until` if the caller breaks off.
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

/** Claims the renewals of a lease, as `claimRenewal` does each of them. */
export function claimLeasedRenewals(
  db: Db,
  leased: readonly LeasedRenewal[],
  { now, until, leasedUntil }: { now: EpochMs; until: EpochMs; leasedUntil: EpochMs },
): Promise<RenewalRow[]> {
  const { source, field } = jsonRows(leased);
  const isAsLeased = sql`EXISTS (SELECT 1 FROM ${source}
    WHERE ${field("driverId")} = ${renewals.driverId} AND ${field("revision")} = ${renewals.revision})`;
  return db
    .update(renewals)
    .set({ dueAt: until, tries: sql`${renewals.tries} + 1`, revision: sql`${renewals.revision} + 1` })
    .where(
      and(
        isAmong(
          renewals.driverId,
          leased.map(({ driverId }) => driverId),
        ),
        eq(renewals.status, "on"),
        or(lte(renewals.dueAt, now), and(eq(renewals.dueAt, leasedUntil), isAsLeased)),
      ),
    )
    .returning();
}

/** The writes of a call that has claimed the renewal. */
export type RenewalChange = Partial<
  Pick<
    RenewalRow,
    | "status"
    | "pause"
    | "dueAt"
    | "tries"
    | "noticedEnd"
    | "noticedAt"
    | "noticedCents"
    | "noticeConfirmedAt"
    | "methodBrand"
    | "methodLast4"
  >
>;

/**
 * Writes a change of a claimed renewal, and the driver's notification of it, in one batch.
 * @returns false if the driver turned it off or another call claimed it since
 */
export async function storeRenewal(
  db: Db,
  { driverId, revision }: RenewalRow,
  { change, news, now }: { change: RenewalChange; news: ServiceChange | null; now: EpochMs },
): Promise<boolean> {
  const isMine = sql`EXISTS (SELECT 1 FROM ${renewals}
    WHERE ${renewals.driverId} = ${driverId} AND ${renewals.revision} = ${revision})`;
  const save = db
    .update(renewals)
    .set({ ...change, revision: revision + 1 })
    .where(and(eq(renewals.driverId, driverId), eq(renewals.revision, revision)))
    .returning({ driverId: renewals.driverId });
  const results = news
    ? await db.batch([serviceChangeStatement(db, driverId, { news, now, where: isMine }), save])
    : await db.batch([save]);
  const saved: unknown = results.at(-1);
  return Array.isArray(saved) && saved.length === 1;
}

/** A change of a claimed renewal, and the driver's notification of it. */
export type RenewalSave = { renewal: RenewalRow; change: RenewalChange; news: ServiceChange | null };

/**
 * Writes changes of claimed renewals, each as `storeRenewal` does, in one batch of two statements.
 * @returns the drivers whose renewal was written: neither turned off nor claimed by another call since
 */
export async function storeRenewals(
  db: Db,
  saves: readonly RenewalSave[],
  now: EpochMs,
): Promise<ReadonlySet<DriverId>> {
  if (saves.length === 0) return new Set();
  const rows = saves.map(({ renewal, change }) => {
    const { driverId, revision } = renewal;
    const { status, pause, dueAt, tries, methodBrand, methodLast4, ...row } = { ...renewal, ...change };
    const { noticedEnd, noticedAt, noticedCents, noticeConfirmedAt } = row;
    const notice = { noticedEnd, noticedAt, noticedCents, noticeConfirmedAt };
    return { driverId, revision, status, pause, dueAt, tries, methodBrand, methodLast4, ...notice };
  });
  const { source, field } = jsonRows(rows);
  const own = (name: keyof (typeof rows)[number]) =>
    sql`(SELECT ${field(name)} FROM ${source} WHERE ${field("driverId")} = ${renewals.driverId})`;
  const isMine = (driverId: SQL, revision: SQL) => sql`EXISTS (SELECT 1 FROM ${renewals}
    WHERE ${renewals.driverId} = ${driverId} AND ${renewals.revision} = ${revision})`;
  const told = saves.flatMap(({ renewal: { driverId, revision }, news }) =>
    news ? [{ driverId, revision, news }] : [],
  );
  const save = db
    .update(renewals)
    .set({
      status: own("status"),
      pause: own("pause"),
      dueAt: own("dueAt"),
      tries: own("tries"),
      noticedEnd: own("noticedEnd"),
      noticedAt: own("noticedAt"),
      noticedCents: own("noticedCents"),
      noticeConfirmedAt: own("noticeConfirmedAt"),
      methodBrand: own("methodBrand"),
      methodLast4: own("methodLast4"),
      revision: sql`${renewals.revision} + 1`,
    })
    .where(
      and(
        isAmong(
          renewals.driverId,
          saves.map(({ renewal: { driverId } }) => driverId),
        ),
        sql`${renewals.revision} = ${own("revision")}`,
      ),
    )
    .returning({ driverId: renewals.driverId });
  const saved =
    told.length === 0
      ? await save
      : (await db.batch([serviceChangesStatement(db, told, { now, where: isMine }), save]))[1];
  return new Set(saved.map(({ driverId }) => driverId));
}

/**
 * Turns a renewal off. Consent stays on record, with the time of its withdrawal. Safe to repeat.
 * @returns the driver's payment in progress after that, and the renewal
 */
export async function turnRenewalOff(
  db: Db,
  driverId: DriverId,
  now: EpochMs,
): Promise<{ current: PaymentRow | null; renewal: RenewalRow | null }> {
  const [, [renewal], [current]] = await db.batch([
    ...turnOffStatements(db, driverId, { now, where: sql`1` }),
    paymentInProgressQuery(db, driverId),
  ]);
  return { current: current ?? null, renewal: renewal ?? null };
}

/** The same, for another batch. */
export function turnOffStatements(db: Db, driverId: DriverId, { now, where }: { now: EpochMs; where: SQL }) {
  return [
    withdrawConsents(db, driverId, now, where),
    db
      .update(renewals)
      .set({ status: "off", pause: null, dueAt: null, revision: sql`${renewals.revision} + 1` })
      .where(and(eq(renewals.driverId, driverId), where))
      .returning(),
  ] as const;
}

/** As a condition: a renewal is unchanged since it was read. */
export function isRenewalUnchanged({ driverId, revision }: Pick<RenewalRow, "driverId" | "revision">): SQL {
  return sql`EXISTS (SELECT 1 FROM ${renewals}
    WHERE ${renewals.driverId} = ${driverId} AND ${renewals.revision} = ${revision})`;
}

/**
 * Turns a renewal on again, by a new consent to the same plan and cap.
 * @returns the changed renewal; null if there is none, it is on already, or plan or cap have changed
 */
export async function turnRenewalOn(
  db: Db,
  { driverId, plan, capCents }: Pick<RenewalRow, "driverId" | "plan" | "capCents">,
  { words, now }: { words: number; now: EpochMs },
): Promise<RenewalRow | null> {
  const id = crypto.randomUUID();
  const isSame = and(
    eq(renewals.driverId, driverId),
    eq(renewals.plan, plan),
    eq(renewals.capCents, capCents),
    sql`${renewals.status} <> 'on'`,
    not(reportedRenewal),
  );
  const [, , turned] = await db.batch([
    // If nothing is turned on, the renewal keeps its consent.
    withdrawConsents(db, driverId, now, sql`EXISTS (SELECT 1 FROM ${renewals} WHERE ${isSame})`),
    insertFrom(
      db,
      renewalConsents,
      {
        id,
        driverId: sql`${renewals.driverId}`,
        at: now,
        plan: sql`${renewals.plan}`,
        capCents: sql`${renewals.capCents}`,
        currency: sql`${renewals.currency}`,
        words,
      },
      sql`FROM ${renewals} WHERE ${isSame}`,
    ),
    db
      .update(renewals)
      .set({
        status: "on",
        consentId: id,
        dueAt: now,
        tries: 0,
        revision: sql`${renewals.revision} + 1`,
        // The notice is sent again after a pause, and after an undone 'off' unless it is known to have arrived: it named the
        // former consent.
        noticedEnd: sql`CASE WHEN ${renewals.pause} IS NULL AND ${renewals.noticeConfirmedAt} IS NOT NULL
          THEN ${renewals.noticedEnd} END`,
        pause: null,
      })
      .where(isSame)
      .returning(),
    insertFrom(
      db,
      undeliveredServiceChanges,
      {
        source: `${CONSENT_SOURCE}${id}`,
        driverId,
        kind: "renewal_on",
        at: now,
        amountCents: capCents,
        currency: sql`${renewals.currency}`,
        changedMs: PLAN_DAYS[plan] * DAY_MS,
      },
      sql`FROM ${renewals} WHERE ${renewals.consentId} = ${id}`,
    ),
  ]);
  return turned[0] ?? null;
}

function withdrawConsents(db: Db, driverId: DriverId, now: EpochMs, where: SQL = sql`1`) {
  return db
    .update(renewalConsents)
    .set({ withdrawnAt: now })
    .where(and(eq(renewalConsents.driverId, driverId), isNull(renewalConsents.withdrawnAt), where));
}

/** A driver's consent with a payment: it begins when the payment goes through, with the method that paid it. */
export type PaidConsent = {
  capCents: Cents;
  /** The version of the words. */
  words: number;
  methodId: string;
  method: string;
  methodBrand: string | null;
  methodLast4: string | null;
  methodFingerprint: string | null;
};

/** The statements that begin the renewal agreed to with a payment, under a condition. */
export function consentStatements(
  db: Db,
  payment: PaymentRow,
  { consent, now, where }: { consent: PaidConsent; now: EpochMs; where: SQL },
) {
  const { id, driverId, plan, currency } = payment;
  const consentId = `payment-${id}`;
  const { words, capCents, ...card } = consent;
  // A reported card may not be charged without its owner, so the renewal begins paused, and says why.
  const { methodFingerprint, methodId } = card;
  const isReported = isCardReported({ fingerprint: sql`${methodFingerprint}`, methodId: sql`${methodId}` });
  const begun = {
    plan,
    capCents,
    currency,
    consentId,
    ...card,
    noticedEnd: null,
    noticedAt: null,
    noticedCents: null,
    noticeConfirmedAt: null,
    tries: 0,
  } as const;
  const beginning = {
    status: sql`CASE WHEN ${isReported} THEN 'paused' ELSE 'on' END`,
    pause: sql`CASE WHEN ${isReported} THEN 'card_disputed' END`,
    dueAt: sql`CASE WHEN ${isReported} THEN NULL ELSE ${now} END`,
  };
  const row = { driverId, ...begun, ...beginning, revision: 1 };
  const news: ServiceChange = {
    source: `${CONSENT_SOURCE}${consentId}`,
    kind: "renewal_on",
    money: { cents: capCents, currency },
    changedMs: PLAN_DAYS[plan] * DAY_MS,
  };
  return [
    withdrawConsents(db, driverId, now, where),
    insertWhere(
      db,
      renewalConsents,
      { id: consentId, driverId, at: now, plan, capCents, currency, words },
      where,
    ).onConflictDoNothing(),
    insertWhere(db, renewals, row, where).onConflictDoUpdate({
      target: renewals.driverId,
      set: {
        ...begun,
        status: excluded(renewals.status),
        pause: excluded(renewals.pause),
        dueAt: excluded(renewals.dueAt),
        revision: sql`${renewals.revision} + 1`,
      },
    }),
    serviceChangeStatement(db, driverId, { news, now, where: sql`${where} AND NOT ${isReported}` }),
  ];
}

/** Makes a renewal that is on due again, because the end of service has moved. */
export function wakeRenewal(db: Db, driverId: DriverId, { now, where }: { now: EpochMs; where: SQL }) {
  return db
    .update(renewals)
    .set({ dueAt: now, tries: 0 })
    .where(and(eq(renewals.driverId, driverId), eq(renewals.status, "on"), where));
}
