import { loadAlerts } from "../../db/queries/fleet/alerts.ts";
import { loadCronSteps, overdueOf } from "../../db/queries/fleet/cron-steps.ts";
import { loadKeyUses } from "../../db/queries/identity/master-keys.ts";
import type { Db } from "../../db/client.ts";
import type { DurationMs, EpochMs } from "../../db/shapes/units.ts";
import { noteFailures } from "../../durable/runtime/call-failure.ts";
import type { Config } from "../../durable/runtime/config.ts";
import { settingReasons } from "../../durable/runtime/setting-groups.ts";
import type { Log } from "../../durable/runtime/log.ts";
import type { Health } from "../contract/status.ts";

/** Pages ask for health before each sealed body: the database is asked less often. */
const CACHE_MS: DurationMs = 10_000;

const PARTS = ["texts", "keys", "database"] as const;
const LATER_PARTS = [
  "cron",
  "platform",
  "objects",
  "settings",
  "silence",
  "renewals",
  "queues",
  "orders",
  "push",
  "registering",
] as const;

/** Health's facts beside that the service answers. */
export type HealthState = Required<
  Pick<Health, "degraded" | "reasons" | "olderKeys" | "lastCron" | "alsoDegraded">
>;

/** Reads the state of the service, which each isolate keeps for a few seconds. Never fails. */
export function createHealth({
  db,
  now,
  log,
  config,
}: {
  db: Db;
  now: () => EpochMs;
  log: Log;
  config: Pick<Config, "sms" | "masterKeyIds" | "problems">;
}): () => Promise<HealthState> {
  const note = noteFailures("database", log);
  let cached: { state: HealthState; readAt: EpochMs } | null = null;

  async function read(): Promise<HealthState> {
    const reasons = settingReasons(config.problems);
    if (!config.sms && !("settings.texts" in reasons)) reasons["texts.gateway"] = "no_gateway";
    const olderKeys: Record<string, number> = {};
    const lastCron: Record<string, EpochMs> = {};
    try {
      const [alerts, uses, steps] = await Promise.all([
        loadAlerts(db, now()),
        loadKeyUses(db),
        loadCronSteps(db),
      ]);
      for (const { name, succeededAt } of steps) if (succeededAt !== null) lastCron[name] = succeededAt;
      for (const { name, reason } of [...overdueOf(steps, now()), ...alerts]) reasons[name] = reason;
      for (const { keyId, uses: count } of uses) {
        if (keyId !== config.masterKeyIds[0] && count > 0) olderKeys[keyId] = (olderKeys[keyId] ?? 0) + count;
      }
    } catch (thrown) {
      note({ thrown });
      reasons["database"] = "unreachable";
    }
    const names = Object.keys(reasons);
    const isNamed = (part: string) => names.some((name) => name.split(".")[0] === part);
    const [degraded, alsoDegraded] = [PARTS.filter(isNamed), LATER_PARTS.filter(isNamed)];
    return { degraded, alsoDegraded, reasons, olderKeys, lastCron };
  }

  return async () => {
    if (cached && Math.abs(now() - cached.readAt) < CACHE_MS) return cached.state;
    const state = await read();
    cached = { state, readAt: now() };
    return state;
  };
}
