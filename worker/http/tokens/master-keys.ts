import { loadKeyUses, noteCurrentKey } from "../../../db/queries/identity/master-keys.ts";
import type { Db } from "../../../db/client.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { ConfigError, type Config } from "../../../durable/runtime/config.ts";

/**
 * Checks, once for each isolate, that no master key is missing under which something is still sealed: serving without it
 * would sign drivers out and have them reset their passwords, though the key may only have been forgotten.
 * @returns a function that throws {ConfigError} as long as one is missing
 */
export function createKeyCheck({
  db,
  now,
  config: { masterKeyIds, lostMasterKeys },
}: {
  db: Db;
  now: () => EpochMs;
  config: Pick<Config, "masterKeyIds" | "lostMasterKeys">;
}): () => Promise<void> {
  let isChecked = false;
  return async () => {
    if (isChecked) return;
    // Without the database there is nothing to harm yet, and what needs it says so itself: the next call checks.
    const uses = await loadKeyUses(db).catch(() => null);
    if (uses === null) return;
    const missing = uses.filter(
      ({ keyId, uses: count }) =>
        count > 0 && !masterKeyIds.includes(keyId) && !lostMasterKeys.includes(keyId),
    );
    if (missing.length > 0) throw new ConfigError(describeMissing(missing));
    const [currentId = ""] = masterKeyIds;
    if (!uses.some(({ keyId }) => keyId === currentId)) await noteCurrentKey(db, currentId, now());
    isChecked = true;
  };
}

function describeMissing(missing: readonly { keyId: string; what: string; uses: number }[]): string {
  return [...new Set(missing.map(({ keyId }) => keyId))]
    .map((id) => {
      const counted = missing.filter(({ keyId, what }) => keyId === id && what !== "current");
      const sealed = counted.map(({ what, uses }) => `${uses} ${what.replaceAll("_", " ")}`).join(", ");
      return `MASTER_KEYS lacks the key ${id}, which still seals ${sealed || "what is not counted yet"}. Put it back after the others until health names it no more, or name it in LOST_MASTER_KEYS if it is gone for good`;
    })
    .join("\n");
}
