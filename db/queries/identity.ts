import { and, desc, eq, gt, inArray, isNull, lt, ne, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { DriverId, EpochMs } from "../shapes/units.ts";
import type { Db } from "../client.ts";
import {
  poolAttempts,
  poolCodes,
  poolDevices,
  poolSessions,
  poolSigningKeys,
  poolUsers,
  type KeyUse,
} from "../identity-schema.ts";

/** An account's row. */
export type PoolUser = typeof poolUsers.$inferSelect;
/** A sign-in's row. */
export type PoolSession = typeof poolSessions.$inferSelect;
/** A signing key's row. */
export type SigningKeyRow = typeof poolSigningKeys.$inferSelect;

/** The account that a phone number or a sub names; null where there is none. */
export async function findPoolUser(db: Db, username: string): Promise<PoolUser | null> {
  const [user] = await db
    .select()
    .from(poolUsers)
    .where(or(eq(sql`${poolUsers.id}`, username), eq(poolUsers.phoneNumber, username)))
    .limit(1);
  return user ?? null;
}

/**
 * Adds an account. One that was never confirmed and is older than `staleBefore` gives its number up.
 * @returns false where the number is taken
 */
export async function addPoolUser(db: Db, user: PoolUser, staleBefore: EpochMs): Promise<boolean> {
  const stale = and(
    eq(poolUsers.phoneNumber, user.phoneNumber),
    eq(poolUsers.status, "UNCONFIRMED"),
    lt(poolUsers.createdAt, staleBefore),
  );
  const [, , added] = await db.batch([
    db
      .delete(poolCodes)
      .where(sql`${poolCodes.userId} in ${db.select({ id: poolUsers.id }).from(poolUsers).where(stale)}`),
    db.delete(poolUsers).where(stale),
    db.insert(poolUsers).values(user).onConflictDoNothing().returning({ id: poolUsers.id }),
  ]);
  return added.length === 1;
}

/** Changes fields of an account. */
export async function updatePoolUser(
  db: Db,
  id: DriverId,
  change: Partial<Omit<PoolUser, "id" | "createdAt">>,
): Promise<void> {
  await db.update(poolUsers).set(change).where(eq(poolUsers.id, id));
}

/** Exchanges what is stored of a secret for another seal of it, unless it was changed meanwhile. */
export async function replacePoolSeal(
  db: Db,
  id: DriverId,
  { column, from, to }: { column: "password" | "totpSecret"; from: string; to: string },
): Promise<void> {
  await db
    .update(poolUsers)
    .set({ [column]: to })
    .where(and(eq(poolUsers.id, id), eq(poolUsers[column], from)));
}

/** Merges attributes in one statement, so that two callers don't undo each other. A null takes the attribute away. */
export async function patchPoolAttributes(
  db: Db,
  id: DriverId,
  patch: Record<string, string | null>,
): Promise<void> {
  await db
    .update(poolUsers)
    .set({
      attributes: sql`json_patch(iif(json_valid(${poolUsers.attributes}), ${poolUsers.attributes}, '{}'), ${JSON.stringify(patch)})`,
    })
    .where(eq(poolUsers.id, id));
}

/**
 * Gives the account the number that it has proven. An account that never confirmed gives it up.
 * @returns false where a confirmed account holds it, or another number is pending by now
 */
export async function confirmPendingPhone(db: Db, id: DriverId, phoneNumber: string): Promise<boolean> {
  const others = alias(poolUsers, "others");
  const [, taken] = await db.batch([
    db
      .delete(poolUsers)
      .where(
        and(
          eq(poolUsers.phoneNumber, phoneNumber),
          eq(poolUsers.status, "UNCONFIRMED"),
          ne(poolUsers.id, id),
        ),
      ),
    db
      .update(poolUsers)
      .set({ phoneNumber, phoneVerified: true, pendingPhone: null })
      .where(
        and(
          eq(poolUsers.id, id),
          eq(poolUsers.pendingPhone, phoneNumber),
          notExists(
            db
              .select({ one: sql`1` })
              .from(others)
              .where(and(eq(others.phoneNumber, phoneNumber), ne(others.id, id))),
          ),
        ),
      )
      .returning({ id: poolUsers.id }),
  ]);
  return taken.length === 1;
}

/** Spends a software token's step and those before it. @returns false where it was spent already */
export async function consumeTotpStep(db: Db, id: DriverId, step: number): Promise<boolean> {
  const updated = await db
    .update(poolUsers)
    .set({ totpUsedStep: step })
    .where(and(eq(poolUsers.id, id), lt(poolUsers.totpUsedStep, step)))
    .returning({ id: poolUsers.id });
  return updated.length === 1;
}

/** Under which names wrong tries of an account are counted: each kind locks by itself. */
export function lockSubjects(sub: string): { signIn: string; change: string; softwareToken: string } {
  return { signIn: sub, change: `change ${sub}`, softwareToken: `totp ${sub}` };
}

/** What is kept of an account, without what is secret. Instants are epoch ms. */
export type PoolAccount = Pick<
  PoolUser,
  "phoneNumber" | "phoneVerified" | "attributes" | "status" | "createdAt"
> & {
  signIns: Pick<PoolSession, "createdAt" | "expiresAt" | "revokedAt">[];
  devices: { name: string | null; createdAt: EpochMs; authenticatedAt: EpochMs }[];
};

/** Describes an account to its owner; null where there is none. */
export async function loadPoolAccount(db: Db, id: DriverId): Promise<PoolAccount | null> {
  const [[user], signIns, devices] = await db.batch([
    db
      .select({
        phoneNumber: poolUsers.phoneNumber,
        phoneVerified: poolUsers.phoneVerified,
        attributes: poolUsers.attributes,
        status: poolUsers.status,
        createdAt: poolUsers.createdAt,
      })
      .from(poolUsers)
      .where(eq(poolUsers.id, id)),
    db
      .select({
        createdAt: poolSessions.createdAt,
        expiresAt: poolSessions.expiresAt,
        revokedAt: poolSessions.revokedAt,
      })
      .from(poolSessions)
      .where(eq(poolSessions.userId, id)),
    db
      .select({
        name: poolDevices.name,
        createdAt: poolDevices.createdAt,
        authenticatedAt: poolDevices.authenticatedAt,
      })
      .from(poolDevices)
      .where(eq(poolDevices.userId, id)),
  ]);
  return user ? { ...user, signIns, devices } : null;
}

/** Leaves nothing of the account. */
export async function deletePoolUser(db: Db, id: DriverId): Promise<void> {
  await db.batch([
    db.delete(poolUsers).where(eq(poolUsers.id, id)),
    db.delete(poolSessions).where(eq(poolSessions.userId, id)),
    db.delete(poolCodes).where(eq(poolCodes.userId, id)),
    db.delete(poolDevices).where(eq(poolDevices.userId, id)),
    db.delete(poolAttempts).where(inArray(poolAttempts.subject, Object.values(lockSubjects(id)))),
  ]);
}

/** Adds a sign-in, and sweeps away those of the same account that are over. */
export async function addPoolSession(db: Db, session: PoolSession): Promise<void> {
  await db.batch([
    db.insert(poolSessions).values(session),
    db
      .delete(poolSessions)
      .where(and(eq(poolSessions.userId, session.userId), lt(poolSessions.expiresAt, session.createdAt))),
  ]);
}

/** A sign-in and its account, each null where it is gone. */
export async function loadPoolSession(
  db: Db,
  { originJti, userId }: { originJti: string; userId: string },
): Promise<{ session: PoolSession | null; user: PoolUser | null }> {
  const [[session], [user]] = await db.batch([
    db.select().from(poolSessions).where(eq(poolSessions.originJti, originJti)),
    db
      .select()
      .from(poolUsers)
      .where(eq(sql`${poolUsers.id}`, userId)),
  ]);
  return { session: session ?? null, user: user ?? null };
}

/** Neither revoked nor over, and its account was not deleted. */
export async function isPoolSessionLive(db: Db, originJti: string, now: EpochMs): Promise<boolean> {
  const [session] = await db
    .select({ originJti: poolSessions.originJti })
    .from(poolSessions)
    .where(
      and(
        eq(poolSessions.originJti, originJti),
        isNull(poolSessions.revokedAt),
        gt(poolSessions.expiresAt, now),
      ),
    );
  return session !== undefined;
}

/** Ends one sign-in. */
export async function revokePoolSession(db: Db, originJti: string, now: EpochMs): Promise<void> {
  await db
    .update(poolSessions)
    .set({ revokedAt: now })
    .where(and(eq(poolSessions.originJti, originJti), isNull(poolSessions.revokedAt)));
}

/** Ends every sign-in of the account. */
export async function revokePoolSessions(db: Db, userId: DriverId, now: EpochMs): Promise<void> {
  await db
    .update(poolSessions)
    .set({ revokedAt: now })
    .where(and(eq(poolSessions.userId, userId), isNull(poolSessions.revokedAt)));
}

/** All signing keys, the newest of each use first. */
export function loadSigningKeys(db: Db): Promise<SigningKeyRow[]> {
  return db.select().from(poolSigningKeys).orderBy(desc(poolSigningKeys.generation));
}

/** Of several callers who make the same generation of a key, the first one's stays. */
export async function addSigningKey(db: Db, key: SigningKeyRow & { keyUse: KeyUse }): Promise<void> {
  await db.insert(poolSigningKeys).values(key).onConflictDoNothing();
}
