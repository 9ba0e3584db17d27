import { loadAlerts } from "../../db/queries/alerts.ts";
import { loadKeyUses } from "../../db/queries/master-keys.ts";
import type { Db } from "../../db/client.ts";
import type { DurationMs, EpochMs } from "../../db/shapes/units.ts";
import type { Config } from "../../durable/runtime/config.ts";
import type { Health } from "../contract/status.ts";

/** Pages ask for health before each sealed body: the database is asked less often. */
const CACHE_MS: DurationMs = 10_000;

/** What health says beside that the service answers. */
export type HealthState = Pick<Health, "degraded" | "olderKeys">;

/** Reads the state of the service, which each isolate keeps for a few seconds. Never fails. */
export function createHealth({
  db,
  now,
  config,
}: {
  db: Db;
  now: () => EpochMs;
  config: Pick<Config, "sms" | "masterKeyIds">;
}): () => Promise<HealthState> {
  let cached: { state: HealthState; readAt: EpochMs } | null = null;

  async function read(): Promise<HealthState> {
    const settings = config.sms ? [] : [{ name: "texts.gateway", reason: "no_gateway", since: null }];
    try {
      const [alerts, uses] = await Promise.all([loadAlerts(db, now()), loadKeyUses(db)]);
      const older = uses.filter(({ keyId, uses: count }) => keyId !== config.masterKeyIds[0] && count > 0);
      const olderKeys: Record<string, number> = {};
      for (const { keyId, uses: count } of older) olderKeys[keyId] = (olderKeys[keyId] ?? 0) + count;
      const degraded = [...settings, ...alerts.map(({ name, reason, since }) => ({ name, reason, since }))];
      return { degraded, olderKeys };
    } catch {
      return {
        degraded: [...settings, { name: "database", reason: "unreachable", since: null }],
        olderKeys: {},
      };
    }
  }

  return async () => {
    if (cached && Math.abs(now() - cached.readAt) < CACHE_MS) return cached.state;
    const state = await read();
    cached = { state, readAt: now() };
    return state;
  };
}
