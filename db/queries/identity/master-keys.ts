import { and, eq, gt, inArray, isNotNull, isNull, lt, ne, not, or, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "../../client.ts";
import { poolRegistrations, poolSessions, poolSigningKeys, poolUsers } from "../../schema/identity.ts";
import { masterKeyUses, objectSeals } from "../../schema/security.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";

/** The number of values sealed under a master key, as last counted. */
export type MasterKeyUse = typeof masterKeyUses.$inferSelect;

/** The id in a sealed text: `v1.<id>.…`. */
function keyIdOf(column: SQLiteColumn): SQL<string> {
  return sql<string>`substr(${column}, 4, instr(substr(${column}, 4), '.') - 1)`;
}

/** A row that says by what a master key is recognized: its id may come to stand for other bytes. */
const PRINT = "print:";
const isPrint = sql`substr(${masterKeyUses.what}, 1, ${PRINT.length}) = ${PRINT}`;

/** A master key's id, and its print. */
export type MasterKeyPrint = { keyId: string; print: string };

/** The values sealed under each master key, as last counted. */
export function loadKeyUses(db: Db): Promise<MasterKeyUse[]> {
  return db.select().from(masterKeyUses).where(not(isPrint));
}

/** The same, with the prints of the keys that were seen. */
export async function loadSeenKeys(db: Db): Promise<{ uses: MasterKeyUse[]; prints: MasterKeyPrint[] }> {
  const rows = await db.select().from(masterKeyUses);
  const { prints = [], uses = [] } = Object.groupBy(rows, ({ what }) =>
    what.startsWith(PRINT) ? "prints" : "uses",
  );
  return { uses, prints: prints.map(({ keyId, what }) => ({ keyId, print: what.slice(PRINT.length) })) };
}

/**
 * Notes that a key is current, so that it can't be dropped unnoticed before anything was counted, and the prints of keys that
 * have another by now, or none.
 */
export async function noteKeys(
  db: Db,
  { currentId, prints, now }: { currentId: string; prints: readonly MasterKeyPrint[]; now: EpochMs },
): Promise<void> {
  const ids = prints.map(({ keyId }) => keyId);
  const seen = prints.map(({ keyId, print }) => ({
    keyId,
    what: `${PRINT}${print}`,
    uses: 0,
    countedAt: now,
  }));
  await db.batch([
    db.delete(masterKeyUses).where(and(isPrint, inArray(masterKeyUses.keyId, ids))),
    db
      .insert(masterKeyUses)
      .values([{ keyId: currentId, what: "current", uses: 1, countedAt: now }, ...seen])
      .onConflictDoNothing(),
  ]);
}

/** Counts what is sealed under which master key, and stores it for health and for the next start. */
export async function countKeyUses(db: Db, currentId: string, now: EpochMs): Promise<MasterKeyUse[]> {
  const count = sql<number>`count(*)`;
  const passwords = keyIdOf(poolUsers.password);
  const authenticators = keyIdOf(poolUsers.totpSecret);
  const pending = keyIdOf(poolUsers.totpPending);
  const registered = keyIdOf(poolRegistrations.password);
  const signing = keyIdOf(poolSigningKeys.privateKey);
  const [ofPasswords, ofAuthenticators, ofSigning, ofSessions, ofObjects, ofPending, ofRegistrations] =
    await db.batch([
      db.select({ keyId: passwords, uses: count }).from(poolUsers).groupBy(passwords),
      db
        .select({ keyId: authenticators, uses: count })
        .from(poolUsers)
        .where(isNotNull(poolUsers.totpSecret))
        .groupBy(authenticators),
      db.select({ keyId: signing, uses: count }).from(poolSigningKeys).groupBy(signing),
      db
        .select({ keyId: sql<string>`${poolSessions.keyId}`, uses: count })
        .from(poolSessions)
        .where(
          and(isNotNull(poolSessions.keyId), isNull(poolSessions.revokedAt), gt(poolSessions.expiresAt, now)),
        )
        .groupBy(poolSessions.keyId),
      db
        .select({ keyId: objectSeals.keyId, uses: count })
        .from(objectSeals)
        .where(gt(objectSeals.keyId, ""))
        .groupBy(objectSeals.keyId),
      db
        .select({ keyId: pending, uses: count })
        .from(poolUsers)
        .where(isNotNull(poolUsers.totpPending))
        .groupBy(pending),
      db.select({ keyId: registered, uses: count }).from(poolRegistrations).groupBy(registered),
    ]);
  const counted = Object.entries({
    passwords: ofPasswords,
    authenticators: ofAuthenticators,
    signing_keys: ofSigning,
    sessions: ofSessions,
    platform_tokens: ofObjects,
    pending_authenticators: ofPending,
    registrations: ofRegistrations,
  }).flatMap(([what, rows]) => rows.map(({ keyId, uses }) => ({ keyId, what, uses, countedAt: now })));
  const rows = [{ keyId: currentId, what: "current", uses: 1, countedAt: now }, ...counted];
  await db.batch([db.delete(masterKeyUses).where(not(isPrint)), db.insert(masterKeyUses).values(rows)]);
  return rows;
}

/** Accounts with a secret that another key than the current one sealed, except those that are given up. */
export function listAccountsToReseal(
  db: Db,
  { currentId, lostIds, limit }: { currentId: string; lostIds: readonly string[]; limit: number },
) {
  const lost = JSON.stringify(lostIds);
  const isOld = (column: SQLiteColumn) =>
    and(
      ne(keyIdOf(column), currentId),
      sql`${keyIdOf(column)} not in (select value from json_each(${lost}))`,
    );
  return db
    .select()
    .from(poolUsers)
    .where(
      or(
        isOld(poolUsers.password),
        and(isNotNull(poolUsers.totpSecret), isOld(poolUsers.totpSecret)),
        and(isNotNull(poolUsers.totpPending), isOld(poolUsers.totpPending)),
      ),
    )
    .limit(limit);
}

/**
 * Linked drivers whose objects haven't said yet that the current key seals the platform's tokens: any of them, so that objects
 * which can't be reached hold up no others.
 */
export function listObjectsToReseal(
  db: Db,
  { currentId, lostIds, limit }: { currentId: string; lostIds: readonly string[]; limit: number },
) {
  const isNotLost = sql`${objectSeals.keyId} NOT IN (SELECT value FROM json_each(${JSON.stringify(lostIds)}))`;
  const ofKeys = (range: SQL) =>
    db
      .select({ driverId: objectSeals.driverId })
      .from(objectSeals)
      .where(and(range, isNotLost))
      .orderBy(sql`random()`)
      .limit(limit);
  // The keys before the current one and those after it: all but those are read nowhere.
  return db
    .batch([ofKeys(lt(objectSeals.keyId, currentId)), ofKeys(gt(objectSeals.keyId, currentId))])
    .then((lists) => lists.flat().slice(0, limit));
}

/** Stores under which key a linked driver's object seals the platform's tokens. */
export async function saveObjectSeal(
  db: Db,
  { driverId, keyId, checkedAt }: { driverId: DriverId; keyId: string; checkedAt: EpochMs },
): Promise<void> {
  await db.update(objectSeals).set({ keyId, checkedAt }).where(eq(objectSeals.driverId, driverId));
}
