import { eq, lt, notExists, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { poolNonces } from "../../schema/identity.ts";
import { usedSeals } from "../../schema/drivers.ts";

/**
 * A value of one use, for the batch of what it is used for: that counts only where `isUnused` holds, and comes before `use`,
 * which returns a row if the value is used up by it.
 */
export type OneTimeProof = { isUnused: SQL; use: BatchItem<"sqlite"> };

/** A nonce as the proof of a batch. */
export function nonceProof(
  db: Db,
  { nonce, expiresAt }: { nonce: string; expiresAt: EpochMs },
): OneTimeProof {
  const used = db
    .select({ one: sql`1` })
    .from(poolNonces)
    .where(eq(poolNonces.nonce, nonce));
  return {
    isUnused: notExists(used),
    use: db
      .insert(poolNonces)
      .values({ nonce, expiresAt })
      .onConflictDoNothing()
      .returning({ nonce: poolNonces.nonce }),
  };
}

/** Marks a single-use value as used. @returns false if it already was */
export async function consumeNonce(
  db: Db,
  { nonce, expiresAt, now }: { nonce: string; expiresAt: EpochMs; now: EpochMs },
): Promise<boolean> {
  const [inserted] = await db.batch([
    db
      .insert(poolNonces)
      .values({ nonce, expiresAt })
      .onConflictDoNothing()
      .returning({ nonce: poolNonces.nonce }),
    db.delete(poolNonces).where(lt(poolNonces.expiresAt, now)),
  ]);
  return inserted.length === 1;
}

/** Whether a single-use value was already used. */
export async function isNonceUsed(db: Db, nonce: string): Promise<boolean> {
  const [row] = await db.select().from(poolNonces).where(eq(poolNonces.nonce, nonce));
  return row !== undefined;
}

/** Uses a proof up by itself. @returns false if another caller did so first */
export async function consumeProof(db: Db, { use }: OneTimeProof): Promise<boolean> {
  const [used] = await db.batch([use]);
  return wasUsed(used);
}

/** Whether the result of a proof's `use` says that it was this caller who used it up. */
export function wasUsed(result: unknown): boolean {
  return Array.isArray(result) && result.length === 1;
}

/** Marks a sealed body as used; false if it was used before. Kept for as long as it could be sent again. */
export async function redeemSeal(
  db: Db,
  { digest, expiresAt }: { digest: string; expiresAt: EpochMs },
): Promise<boolean> {
  const added = await db
    .insert(usedSeals)
    .values({ digest, expiresAt })
    .onConflictDoNothing()
    .returning({ digest: usedSeals.digest });
  return added.length === 1;
}

/** Forgets the sealed bodies that are too old to be sent again. */
export async function deleteExpiredSeals(db: Db, now: EpochMs): Promise<void> {
  await db.delete(usedSeals).where(lt(usedSeals.expiresAt, now));
}
