import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { inviteCodes, invitations, invitedNumbers } from "../../schema/rewards.ts";
import { users } from "../../schema/drivers.ts";

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
    db.insert(inviteCodes).values({ driverId, code: fresh }).onConflictDoNothing(),
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
export type InvitedNumber = { isRegistered: boolean; invitation: InvitationRow | null; isTexted: boolean };

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
    isTexted: known !== undefined && known.textedAt !== null,
  };
}

/** Adds an invitation, unless the inviter has one of that number. */
export async function insertInvitation(
  db: Db,
  { id, inviterId, phoneNumber, now }: { id: string; inviterId: DriverId; phoneNumber: string; now: EpochMs },
): Promise<void> {
  await db
    .insert(invitations)
    .values({ id, inviterId, phoneNumber, hasTrial: false, revocations: 0, createdAt: now })
    .onConflictDoNothing();
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
