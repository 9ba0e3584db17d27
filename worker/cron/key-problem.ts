import type { DurationMs } from "../../db/shapes/units.ts";
import { ConfigError } from "../../durable/runtime/config.ts";
import type { Env } from "../../durable/runtime/env.ts";
import type { SettingProblem } from "../../durable/runtime/setting-groups.ts";
import { isolateOf } from "../http/isolate.ts";
import { within } from "./run-steps.ts";

/** A database that takes longer says nothing of its keys, and holds up nobody who tells of its outage. */
const READ_LIMIT_MS: DurationMs = 5_000;

/**
 * The master keys' problem that refuses every call, where there is one. Crons and queue rest meanwhile: what they sealed under
 * the wrong key would be missed once the right one is back.
 */
export async function findKeyProblem(env: Env): Promise<SettingProblem | null> {
  const { deps, requireMasterKeys } = isolateOf(env);
  try {
    await within(deps, READ_LIMIT_MS, requireMasterKeys());
  } catch (error) {
    if (!(error instanceof ConfigError)) return null;
    deps.log("error", "config.invalid", { problem: error.message });
    return { name: "MASTER_KEYS", part: "core", problem: error.message };
  }
  return null;
}
