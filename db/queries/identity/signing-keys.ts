import { desc, eq, inArray } from "drizzle-orm";
import type { Db } from "../../client.ts";
import { poolSigningKeys } from "../../schema/identity.ts";

/** A signing key row. */
export type SigningKeyRow = typeof poolSigningKeys.$inferSelect;

/** All signing keys, newest first. */
export async function loadSigningKeys(db: Db): Promise<SigningKeyRow[]> {
  return db.select().from(poolSigningKeys).orderBy(desc(poolSigningKeys.generation));
}

/**
 * Inserts a signing key. If several callers insert the same generation, the first one's is kept.
 * @returns whether it was this one
 */
export async function addSigningKey(db: Db, key: SigningKeyRow): Promise<boolean> {
  const added = await db
    .insert(poolSigningKeys)
    .values(key)
    .onConflictDoNothing()
    .returning({ kid: poolSigningKeys.kid });
  return added.length === 1;
}

/** Deletes keys, private parts included. */
export async function deleteSigningKeys(db: Db, kids: readonly string[]): Promise<void> {
  if (kids.length > 0) await db.delete(poolSigningKeys).where(inArray(poolSigningKeys.kid, [...kids]));
}

/** Replaces a sealed private key by the same one under another master key. */
export async function replaceSigningKeySeal(
  db: Db,
  { kid, privateKey }: Pick<SigningKeyRow, "kid" | "privateKey">,
): Promise<void> {
  await db.update(poolSigningKeys).set({ privateKey }).where(eq(poolSigningKeys.kid, kid));
}
