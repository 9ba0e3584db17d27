import { and, eq, exists, gt, inArray, lt, ne, or, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { patchedJson } from "../../expressions.ts";
import { guesses } from "../../schema/security.ts";
import {
  poolAttempts,
  poolCodes,
  poolNotices,
  poolPasskeys,
  poolSessions,
  poolUsers,
} from "../../schema/identity.ts";
import { wasUsed, type OneTimeProof } from "./one-time-proofs.ts";
import { registrationRowsOf } from "./registrations.ts";

/** An account row. */
export type PoolUser = typeof poolUsers.$inferSelect;

/** The condition of an account's phone number or sub. */
export function isNamed(username: string) {
  return or(eq(sql`${poolUsers.id}`, username), eq(poolUsers.phoneNumber, username));
}

/** Finds an account by phone number or sub. */
export async function findPoolUser(db: Db, username: string): Promise<PoolUser | null> {
  const [user] = await db.select().from(poolUsers).where(isNamed(username)).limit(1);
  return user ?? null;
}

/** A lock, short by wrong tries in a row or long by guesses over days, of those whose guesses a subject counts. */
export type SignInLock = { subject: string; until: EpochMs };

/**
 * Finds an account by phone number or sub, with its locks, and those of some known guessers.
 * @param decoyId whose locks count for a name without an account
 */
export async function findSignInUser(
  db: Db,
  username: string,
  { decoyId, guessers, now }: { decoyId: string; guessers: readonly string[]; now: EpochMs },
): Promise<{ user: PoolUser | null; locks: SignInLock[] }> {
  const named = isNamed(username);
  const stranger = sql`coalesce((select ${poolUsers.id} from ${poolUsers} where ${named} limit 1), ${decoyId})`;
  const isAsked = (subject: SQLWrapper) =>
    sql`${subject} in (select ${stranger} union all select value from json_each(${JSON.stringify(guessers)}))`;
  const [[user], short, long] = await db.batch([
    db.select().from(poolUsers).where(named).limit(1),
    db
      .select({ subject: poolAttempts.subject, until: poolAttempts.lockedUntil })
      .from(poolAttempts)
      .where(and(isAsked(poolAttempts.subject), gt(poolAttempts.lockedUntil, now))),
    db
      .select({ subject: guesses.subject, until: guesses.lockedUntil })
      .from(guesses)
      .where(and(isAsked(guesses.subject), gt(guesses.lockedUntil, now))),
  ]);
  return { user: user ?? null, locks: [...short, ...long] };
}

/** Inserts an account where its number has none yet. @returns the number's account by then; null if the id is taken */
export async function addPoolUser(
  db: Db,
  user: PoolUser,
): Promise<{ user: PoolUser; isNew: boolean } | null> {
  const [added, [known]] = await db.batch([
    db.insert(poolUsers).values(user).onConflictDoNothing().returning({ id: poolUsers.id }),
    db.select().from(poolUsers).where(eq(poolUsers.phoneNumber, user.phoneNumber)),
  ]);
  return known ? { user: known, isNew: added.length === 1 } : null;
}

/** Updates fields of an account. */
export async function updatePoolUser(
  db: Db,
  id: DriverId,
  change: Partial<Omit<PoolUser, "id" | "createdAt">>,
): Promise<void> {
  await db.update(poolUsers).set(change).where(eq(poolUsers.id, id));
}

/** Marks an account's number as proved. @param proof the code, used up by it @returns false if it was used before */
export async function verifyPhone(db: Db, id: DriverId, proof: OneTimeProof): Promise<boolean> {
  const [, used] = await db.batch([
    db
      .update(poolUsers)
      .set({ phoneVerified: true })
      .where(and(eq(poolUsers.id, id), proof.isUnused)),
    proof.use,
  ]);
  return wasUsed(used);
}

/** The statement that leaves a number to be confirmed by a code, for the batch that stores the code. */
export function setPendingPhone(db: Db, id: DriverId, pendingPhone: string, condition: SQL) {
  return db
    .update(poolUsers)
    .set({ pendingPhone })
    .where(and(eq(poolUsers.id, id), condition));
}

/** The parts of an account that a master key seals. */
export type SealedColumn = "password" | "totpSecret" | "totpPending";

/** Replaces a sealed secret by the same secret under another key, unless it changed in the meantime. */
export async function replacePoolSeal(
  db: Db,
  id: DriverId,
  { column, from, to }: { column: SealedColumn; from: string; to: string },
): Promise<void> {
  await db
    .update(poolUsers)
    .set({ [column]: to })
    .where(and(eq(poolUsers.id, id), eq(poolUsers[column], from)));
}

/** Merges attributes in one statement, so that concurrent callers don't overwrite each other. Null deletes one. */
export async function patchPoolAttributes(
  db: Db,
  id: DriverId,
  patch: Record<string, string | null>,
): Promise<void> {
  await db
    .update(poolUsers)
    .set({ attributes: patchedJson(poolUsers.attributes, { defaults: {}, patch }) })
    .where(eq(poolUsers.id, id));
}

/** Uses up an authenticator step and all earlier ones. @returns false if it already was */
export async function consumeTotpStep(db: Db, id: DriverId, step: number): Promise<boolean> {
  const updated = await db
    .update(poolUsers)
    .set({ totpUsedStep: step })
    .where(and(eq(poolUsers.id, id), lt(poolUsers.totpUsedStep, step)))
    .returning({ id: poolUsers.id });
  return updated.length === 1;
}

/** The subjects under which an account's wrong tries are counted. Each kind locks separately. */
export function lockSubjects(sub: string) {
  return { signIn: sub, change: `change ${sub}`, softwareToken: `totp ${sub}`, passkey: `passkey ${sub}` };
}

/** An account as we store it, without secrets. Instants are epoch ms. */
export type PoolAccount = Pick<
  PoolUser,
  "phoneNumber" | "phoneVerified" | "attributes" | "status" | "createdAt"
> & {
  signIns: Pick<
    typeof poolSessions.$inferSelect,
    "createdAt" | "expiresAt" | "revokedAt" | "lastSeenAt" | "browser" | "system" | "country"
  >[];
  /** Without keys. */
  passkeys: Pick<typeof poolPasskeys.$inferSelect, "name" | "createdAt" | "lastUsedAt" | "removedAt">[];
};

/** Loads an account for its owner's data export. */
export async function loadPoolAccount(db: Db, id: DriverId): Promise<PoolAccount | null> {
  const [[user], signIns, passkeys] = await db.batch([
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
        lastSeenAt: poolSessions.lastSeenAt,
        browser: poolSessions.browser,
        system: poolSessions.system,
        country: poolSessions.country,
      })
      .from(poolSessions)
      .where(eq(poolSessions.userId, id)),
    db
      .select({
        name: poolPasskeys.name,
        createdAt: poolPasskeys.createdAt,
        lastUsedAt: poolPasskeys.lastUsedAt,
        removedAt: poolPasskeys.removedAt,
      })
      .from(poolPasskeys)
      .where(eq(poolPasskeys.userId, id)),
  ]);
  return user ? { ...user, signIns, passkeys } : null;
}

/** The statements that delete an account's rows in the pool. */
export function poolRowsOf(db: Db, id: DriverId) {
  return [
    db.delete(poolUsers).where(eq(poolUsers.id, id)),
    db.delete(poolSessions).where(eq(poolSessions.userId, id)),
    db.delete(poolPasskeys).where(eq(poolPasskeys.userId, id)),
    db.delete(poolCodes).where(eq(poolCodes.userId, id)),
    // But for the one that tells of the deletion, which is deleted once it is sent.
    db.delete(poolNotices).where(and(eq(poolNotices.userId, id), ne(poolNotices.kind, "deleted"))),
    db.delete(poolAttempts).where(inArray(poolAttempts.subject, Object.values(lockSubjects(id)))),
    // Of its own, and of browsers that it knows.
    db
      .delete(guesses)
      .where(or(eq(guesses.subject, id), and(gt(guesses.subject, `${id} `), lt(guesses.subject, `${id}!`)))),
    ...registrationRowsOf(db, id),
  ] as const;
}

/** Whether an account has this number, for the batch of a change that began while it had. */
export function hasNumber(
  db: Db,
  { id, phoneNumber }: Pick<PoolUser, "id" | "phoneNumber">,
  more?: SQL,
): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(poolUsers)
      .where(and(eq(poolUsers.id, id), eq(poolUsers.phoneNumber, phoneNumber), more)),
  );
}
