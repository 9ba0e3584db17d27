import { and, asc, eq, inArray, isNotNull, isNull, lte, not, sql, type SQL } from "drizzle-orm";
import type { ServiceChange } from "../../shapes/profile.ts";
import type { NoticeChannel, RenewalPause } from "../../shapes/money/renewal.ts";
import type { Cents, DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { undeliveredServiceChanges } from "../../schema/payments.ts";
import { renewalConsents, renewalNotices, renewals } from "../../schema/renewal.ts";
import { sentTexts } from "../../schema/texts.ts";
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
  Pick<
    RenewalRow,
    "status" | "pause" | "dueAt" | "tries" | "noticedEnd" | "noticedAt" | "noticedCents" | "noticeConfirmedAt"
  >
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

/**
 * The statements that pause renewals which are on and tell their drivers so, once each.
 * @param where of the table `renewals`
 */
export function pauseStatements(
  db: Db,
  { pause, now, where }: { pause: RenewalPause; now: EpochMs; where: SQL },
) {
  const isOn = sql`${renewals.status} = 'on' AND ${where}`;
  return [
    db
      .insert(undeliveredServiceChanges)
      .select(
        sql`SELECT 'renewal:' || consent_id || ':' || revision || ${`:${pause}`}, driver_id, ${`renewal_${pause}`}, ${now}, NULL, NULL, NULL, NULL
          FROM ${renewals} WHERE ${isOn}`,
      )
      .onConflictDoNothing(),
    db
      .update(renewals)
      .set({ status: "paused", pause, dueAt: null, revision: sql`${renewals.revision} + 1` })
      .where(isOn),
  ] as const;
}

/** As a condition: a card may not be charged without its owner. The arguments are columns or values. */
export function isCardReported({ fingerprint, methodId }: { fingerprint: SQL; methodId: SQL }): SQL {
  return sql`EXISTS (SELECT 1 FROM card_reports report
    WHERE (report.fingerprint = ${fingerprint} OR report.method_id = ${methodId})
      AND (report.is_final = 1 OR report.cleared_at IS NULL))`;
}

/** Whether the card of a driver's renewal may not be charged without its owner. */
export async function isRenewalCardReported(db: Db, driverId: DriverId): Promise<boolean> {
  const [row] = await db
    .select({ driverId: renewals.driverId })
    .from(renewals)
    .where(and(eq(renewals.driverId, driverId), reportedRenewal));
  return row !== undefined;
}

const reportedRenewal = isCardReported({
  fingerprint: sql`renewals.method_fingerprint`,
  methodId: sql`renewals.method_id`,
});

/** The service change that tells of a renewal ahead. */
export function noticeSource({
  consentId,
  end,
  cents,
}: {
  consentId: string;
  end: EpochMs;
  cents: Cents;
}): string {
  return `renewal:${consentId}:${end}:ahead:${cents}`;
}

/** When a channel first confirmed a notice: its text arrived or the carrier took it, a push was taken, a page showed it. */
export async function loadNoticeConfirmedAt(db: Db, source: string): Promise<EpochMs | null> {
  const [[text], [notice]] = await db.batch([
    db
      .select({ at: sql<EpochMs | null>`min(${sentTexts.reportedAt})` })
      .from(sentTexts)
      .where(and(eq(sentTexts.about, source), inArray(sentTexts.status, ["sent", "delivered", "read"]))),
    db
      .select({ at: sql<EpochMs | null>`min(${renewalNotices.at})` })
      .from(renewalNotices)
      .where(eq(renewalNotices.source, source)),
  ]);
  const known = [text?.at, notice?.at].filter((at) => at !== null && at !== undefined);
  return known.length === 0 ? null : Math.min(...known);
}

/** Notes that a channel brought a notice to its driver. The first time counts. */
export async function noteNotice(
  db: Db,
  notice: { source: string; channel: NoticeChannel; driverId: DriverId; at: EpochMs },
): Promise<void> {
  await db.insert(renewalNotices).values(notice).onConflictDoNothing();
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
    not(reportedRenewal),
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
  methodFingerprint: string | null;
};

/** The statements that begin the renewal agreed to with a payment, under a condition. */
export function consentStatements(
  db: Db,
  payment: PaymentRow,
  { consent, now, where }: { consent: PaidConsent; now: EpochMs; where: SQL },
) {
  const { id, driverId, plan, currency, renewalCapCents, renewalWords } = payment;
  const consentId = `payment-${id}`;
  const { methodId, method, methodBrand, methodLast4, methodFingerprint } = consent;
  // A card that was lost as fraud is kept for nothing: the renewal begins paused, and says why.
  const isReported = isCardReported({ fingerprint: sql`${methodFingerprint}`, methodId: sql`${methodId}` });
  const status = sql`CASE WHEN ${isReported} THEN 'paused' ELSE 'on' END`;
  const pause = sql`CASE WHEN ${isReported} THEN 'card_disputed' END`;
  const dueAt = sql`CASE WHEN ${isReported} THEN NULL ELSE ${now} END`;
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
        sql`SELECT ${driverId}, ${status}, ${pause}, ${plan}, ${renewalCapCents}, ${currency}, ${consentId}, ${methodId}, ${method}, ${methodBrand}, ${methodLast4}, NULL, NULL, NULL, ${dueAt}, 0, 1, ${methodFingerprint}, NULL
          WHERE ${where}`,
      )
      .onConflictDoUpdate({
        target: renewals.driverId,
        set: {
          status: sql`excluded.status`,
          pause: sql`excluded.pause`,
          plan,
          capCents: sql`excluded.cap_cents`,
          currency,
          consentId,
          ...consent,
          noticedEnd: null,
          noticedAt: null,
          noticedCents: null,
          noticeConfirmedAt: null,
          dueAt: sql`excluded.due_at`,
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
