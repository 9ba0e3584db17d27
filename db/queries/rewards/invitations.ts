import { and, asc, desc, eq, isNull, lte, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { DriverId, DurationMs, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere, insertFrom } from "../../insert-where.ts";
import {
  inviteCodes,
  invitations,
  invitedNumbers,
  inviteTries,
  driverDevices,
} from "../../schema/rewards.ts";
import { users } from "../../schema/drivers.ts";
import { excluded } from "../../expressions.ts";
import { hasRecord } from "../accounts/has-record.ts";
import { isNotEnded } from "../identity/live-sessions.ts";

export type InvitationRow = typeof invitations.$inferSelect;

/** More than anybody reads. */
const LIST_LIMIT = 200;

/** A driver's invitations, newest first. */
export function listInvitations(db: Db, inviterId: DriverId): Promise<InvitationRow[]> {
  return db
    .select()
    .from(invitations)
    .where(eq(invitations.inviterId, inviterId))
    .orderBy(desc(invitations.createdAt), desc(invitations.id))
    .limit(LIST_LIMIT);
}

/** The referral of a driver's link: the one that is stored, or else `fresh`. */
export async function loadInviteCode(db: Db, driverId: DriverId, fresh: string): Promise<string> {
  const [, [row]] = await db.batch([
    insertWhere(db, inviteCodes, { driverId, code: fresh }, hasRecord(driverId)).onConflictDoNothing(),
    db.select().from(inviteCodes).where(eq(inviteCodes.driverId, driverId)),
  ]);
  if (!row) throw new Error("another driver has this invite code");
  return row.code;
}

/** The full name of the driver whose link has this referral; null if it is no driver's. */
export async function loadInviterName(db: Db, code: string): Promise<string | null> {
  const [row] = await db
    .select({ name: users.name })
    .from(inviteCodes)
    .innerJoin(users, eq(users.id, inviteCodes.driverId))
    .where(eq(inviteCodes.code, code));
  return row?.name ?? null;
}

/** The facts about a number that an inviter must know. */
export type InvitedNumber = {
  isRegistered: boolean;
  invitation: InvitationRow | null;
  /** When it had its one text. */
  textedAt: EpochMs | null;
};

export async function loadInvitedNumber(
  db: Db,
  { inviterId, phoneNumber }: { inviterId: DriverId; phoneNumber: string },
): Promise<InvitedNumber> {
  const [registered, [invitation], [known]] = await db.batch([
    db.select({ id: users.id }).from(users).where(eq(users.phoneNumber, phoneNumber)),
    db
      .select()
      .from(invitations)
      .where(and(eq(invitations.inviterId, inviterId), eq(invitations.phoneNumber, phoneNumber))),
    db.select().from(invitedNumbers).where(eq(invitedNumbers.phoneNumber, phoneNumber)),
  ]);
  return {
    isRegistered: registered.length > 0,
    invitation: invitation ?? null,
    textedAt: known?.textedAt ?? null,
  };
}

/** Adds an invitation, unless the inviter has one of that number. */
export async function insertInvitation(
  db: Db,
  { id, inviterId, phoneNumber, now }: { id: string; inviterId: DriverId; phoneNumber: string; now: EpochMs },
): Promise<void> {
  const row = { id, inviterId, phoneNumber, hasTrial: false, revocations: 0, createdAt: now };
  await insertWhere(db, invitations, row, hasRecord(inviterId)).onConflictDoNothing();
}

/** Claims the one text that a number ever gets for invitations. @returns false if it had it */
export async function claimInvitationText(db: Db, phoneNumber: string, now: EpochMs): Promise<boolean> {
  const claimed = await db
    .insert(invitedNumbers)
    .values({ phoneNumber, textedAt: now })
    .onConflictDoUpdate({
      target: invitedNumbers.phoneNumber,
      set: { textedAt: now },
      setWhere: isNull(invitedNumbers.textedAt),
    })
    .returning({ phoneNumber: invitedNumbers.phoneNumber });
  return claimed.length === 1;
}

/** A claimed text was certainly not sent. */
export async function releaseInvitationText(db: Db, phoneNumber: string): Promise<void> {
  await db
    .update(invitedNumbers)
    .set({ textedAt: sql`NULL` })
    .where(eq(invitedNumbers.phoneNumber, phoneNumber));
}

/** A claimed text was refused for good: nobody tries it again, and no call says that it was sent. */
export async function closeInvitationText(db: Db, phoneNumber: string): Promise<void> {
  await db.update(invitedNumbers).set({ textedAt: 0 }).where(eq(invitedNumbers.phoneNumber, phoneNumber));
}

/**
 * Counts a number that a driver asks to invite, once a day however often it is sent, unless `most` others were. One of
 * the driver's own numbers isn't counted, nor is a driver without a record, or who asks in a session that was ended.
 * @returns when the next one is allowed, or null where this one is
 */
export async function countInviteTry(
  db: Db,
  ask: {
    driverId: DriverId;
    sessionId: string | null;
    phoneNumber: string;
    most: number;
    windowMs: DurationMs;
    now: EpochMs;
  },
): Promise<EpochMs | null> {
  const { driverId, sessionId, phoneNumber, most, windowMs, now } = ask;
  const isOwn = eq(inviteTries.driverId, driverId);
  const isAnothers = sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${driverId}
    AND ${phoneNumber} NOT IN (${users.phoneNumber}, coalesce(${users.preferredPhoneNumber}, '')))`;
  const isLive = isNotEnded(sessionId);
  const [, , tries] = await db.batch([
    db.delete(inviteTries).where(and(isOwn, lte(inviteTries.at, now - windowMs))),
    insertWhere(
      db,
      inviteTries,
      { driverId, phoneNumber, at: now },
      sql`(SELECT count(*) FROM ${inviteTries} WHERE ${isOwn}) < ${most} AND ${isAnothers} AND ${isLive}`,
    ).onConflictDoNothing(),
    db.select().from(inviteTries).where(isOwn).orderBy(asc(inviteTries.at)),
  ]);
  if (tries.some((one) => one.phoneNumber === phoneNumber)) return null;
  return (tries[0]?.at ?? now) + windowMs;
}

/** The statement that forgets what a driver asked to invite. */
export function inviteTriesOf(db: Db, driverId: DriverId) {
  return db.delete(inviteTries).where(eq(inviteTries.driverId, driverId));
}

/** The new record. */
const own = alias(users, "own");

const invited = alias(invitations, "invited");

/**
 * The statements that connect a new record to who invited it, for the batch that writes the record; they change nothing
 * when repeated. The link decides, and without one the earliest invitation of the number. A trial that somebody spent
 * points on is the number's once, and begins with the first switch-on.
 * @param newId the id of the invitation that a link leads to
 */
export function joinInviterStatements(
  db: Db,
  { driverId, newId, now }: { driverId: DriverId; newId: string; now: EpochMs },
) {
  const ownRecord = sql`(SELECT * FROM ${users} WHERE ${users.id} = ${driverId}) ${own}`;
  const inviterByLink = sql`(SELECT ${inviteCodes.driverId} FROM ${inviteCodes} JOIN ${ownRecord} ON ${own.referral} = ${inviteCodes.code}
    WHERE ${inviteCodes.driverId} <> ${own.id})`;
  const hasInviter = sql`EXISTS (SELECT 1 FROM ${invitations} WHERE ${invitations.friendId} = ${driverId})`;
  return [
    db
      .update(invitations)
      .set({ friendId: driverId })
      .where(
        sql`${invitations.id} = (SELECT ${invited.id} FROM ${invitations} ${invited}
            JOIN ${ownRecord} ON ${own.phoneNumber} = ${invited.phoneNumber}
            WHERE ${invited.friendId} IS NULL AND ${invited.completedAt} IS NULL AND ${invited.inviterId} <> ${own.id}
              AND ${invited.createdAt} <= ${own.createdAt}
              AND ${invited.inviterId} = coalesce(${inviterByLink}, ${invited.inviterId})
            ORDER BY ${invited.createdAt} LIMIT 1)
          AND NOT ${hasInviter}`,
      ),
    insertWhere(
      db,
      invitations,
      {
        id: newId,
        inviterId: inviterByLink,
        friendId: driverId,
        hasTrial: false,
        revocations: 0,
        createdAt: now,
      },
      sql`${inviterByLink} IS NOT NULL AND NOT ${hasInviter}`,
    ).onConflictDoNothing(),
    db
      .update(users)
      .set({ trialPending: true })
      .where(
        sql`${users.id} = ${driverId}
          AND EXISTS (SELECT 1 FROM ${invitations} WHERE ${invitations.phoneNumber} = ${users.phoneNumber}
            AND ${invitations.hasTrial} = 1 AND ${invitations.createdAt} <= ${users.createdAt})
          AND NOT EXISTS (SELECT 1 FROM ${invitedNumbers} WHERE ${invitedNumbers.phoneNumber} = ${users.phoneNumber}
            AND ${invitedNumbers.trialAt} IS NOT NULL)`,
      ),
    insertFrom(
      db,
      invitedNumbers,
      { phoneNumber: sql`${own.phoneNumber}`, trialAt: now },
      sql`FROM ${ownRecord} WHERE ${own.trialPending} = 1`,
    ).onConflictDoUpdate({
      target: invitedNumbers.phoneNumber,
      set: { trialAt: sql`coalesce(${invitedNumbers.trialAt}, ${excluded(invitedNumbers.trialAt)})` },
    }),
  ] as const;
}

/** More browsers than anybody pays with. */
const DEVICE_LIMIT = 20;

/** Notes a browser that a driver registered or paid with, by its hash; the first ones only. */
export async function noteDevice(
  db: Db,
  { driverId, deviceHash, now }: { driverId: DriverId; deviceHash: string; now: EpochMs },
): Promise<void> {
  const isOwn = eq(driverDevices.driverId, driverId);
  await insertWhere(
    db,
    driverDevices,
    { driverId, deviceHash, at: now },
    sql`${hasRecord(driverId)} AND (SELECT count(*) FROM ${driverDevices} WHERE ${isOwn}) < ${DEVICE_LIMIT}`,
  ).onConflictDoNothing();
}

/** The statement that forgets a driver's browsers. */
export function devicesOf(db: Db, driverId: DriverId) {
  return db.delete(driverDevices).where(eq(driverDevices.driverId, driverId));
}
