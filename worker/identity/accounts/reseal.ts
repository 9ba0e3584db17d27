import { listAccountsToReseal } from "../../../db/queries/identity/master-keys.ts";
import { resealSigningKeys } from "../tokens/signing-keys.ts";
import type { PoolContext } from "../pool-context.ts";
import { resealSecrets } from "./accounts.ts";

/**
 * Seals what older master keys sealed under the current one: signing keys, and the secrets of some accounts. Run by a
 * cron until nothing is left, so that nobody has to sign in first.
 * @returns the number of checked accounts; fewer than `limit` if none is left
 */
export async function resealAllSecrets(
  pool: PoolContext,
  { lostIds, limit }: { lostIds: readonly string[]; limit: number },
): Promise<number> {
  await resealSigningKeys(pool);
  const accounts = await listAccountsToReseal(pool.db, { currentId: pool.keys.currentId, lostIds, limit });
  for (const user of accounts) await resealSecrets(pool, user);
  return accounts.length;
}
