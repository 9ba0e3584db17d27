import {
  countKeyUses,
  listObjectsToReseal,
  loadKeyUses,
  saveObjectSeal,
} from "../../db/queries/identity/master-keys.ts";
import { HOUR_MS } from "../../db/shapes/units.ts";
import type { Env } from "../../durable/runtime/env.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import { isolateOf } from "../http/isolate.ts";

/** How much is sealed anew in one minute. */
const ACCOUNTS_A_MINUTE = 100;
const OBJECTS_A_MINUTE = 50;

const EXPIRING: ReadonlySet<string> = new Set(["sessions", "registrations"]);

/**
 * Every minute while something is sealed under a key that is not current, and every hour otherwise: seals it anew under
 * the current key, and once nothing is left, or an hour has passed, counts what is sealed under which. Only sessions
 * are left to expire, within 30 days, and registrations, within a day.
 */
export async function maintainSeals(env: Env): Promise<void> {
  const { deps, userPool } = isolateOf(env);
  const { db, config, keys, now } = deps;
  const uses = await loadKeyUses(db);
  const isCounted = uses.length > 0 && uses.every(({ countedAt }) => now() - countedAt < HOUR_MS);
  // Sessions and registrations expire, and what a lost key sealed stays: none of it can be sealed anew.
  const isOneKey = uses.every(
    ({ keyId, what }) =>
      keyId === keys.currentId || EXPIRING.has(what) || config.lostMasterKeys.includes(keyId),
  );
  const objects = { currentId: keys.currentId, lostIds: config.lostMasterKeys, limit: OBJECTS_A_MINUTE };
  const unsealed = await listObjectsToReseal(db, objects);
  if (isCounted && isOneKey && unsealed.length === 0) return;
  const accounts =
    (await userPool?.resealSecrets({ lostIds: config.lostMasterKeys, limit: ACCOUNTS_A_MINUTE })) ?? 0;
  let objectsSealed = 0;
  for (const { driverId } of unsealed) {
    try {
      const keyId = await deps.driver(driverId).resealTokens();
      await saveObjectSeal(db, { driverId, keyId: keyId ?? keys.currentId, checkedAt: now() });
      objectsSealed += 1;
    } catch (error) {
      deps.log("warn", "keys.reseal.failed", { driverId, ...describeError(error) });
    }
  }
  const isMoreLeft = accounts === ACCOUNTS_A_MINUTE || unsealed.length === OBJECTS_A_MINUTE;
  const isStuck = accounts === 0 && unsealed.length > 0 && objectsSealed === 0;
  // Counting reads every account: once an hour, and when the last of them is sealed.
  if (isCounted && (isMoreLeft || isStuck)) return;
  const counted = await countKeyUses(db, keys.currentId, now());
  const older = counted.filter(({ keyId }) => keyId !== keys.currentId);
  if (older.length > 0)
    deps.log("info", "keys.in_use", {
      older: older.map(({ keyId, what, uses: count }) => `${keyId} ${what} ${count}`),
    });
}
