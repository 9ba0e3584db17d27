import { createMiddleware } from "hono/factory";
import { createDeps } from "../../durable/deps.ts";
import type { Env } from "../../durable/runtime/env.ts";
import { openDb, type Db } from "../../db/client.ts";
import { SETTING_PARTS } from "../../durable/runtime/setting-groups.ts";
import { loadKeyUses, noteCurrentKey } from "../../db/queries/identity/master-keys.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import { ConfigError, type Config } from "../../durable/runtime/config.ts";
import type { AppEnv } from "./app-env.ts";
import { createOperatorKeys } from "./gate/operator-gate.ts";
import { createHealth } from "./health.ts";
import { afterResponse, countStatement, requestLog } from "./request-scope.ts";
import { createTokenKeys, openPhoneCodes, openUserPool } from "./gate/user-pool.ts";

/** The data that all requests of an isolate share, such as derived keys. Contains nothing of a single request. */
export type Isolate = Pick<
  AppEnv["Variables"],
  "deps" | "userPool" | "tokenKeys" | "operatorKeys" | "phoneCodes" | "health"
> & {
  /** Throws as long as a master key is missing that is still in use. */
  requireMasterKeys: () => Promise<void>;
};

let current: { env: Env; isolate: Isolate } | null = null;

/**
 * The isolate's parts, created on first use.
 * @throws {ConfigError} if a setting is missing or malformed that everything needs, on every call
 */
export function isolateOf(env: Env): Isolate {
  if (current === null || !isSameEnv(current.env, env)) current = { env, isolate: createIsolate(env) };
  return current.isolate;
}

/** Puts the isolate's parts into the request's context. */
export const provideIsolate = createMiddleware<AppEnv>(async (c, next) => {
  const { deps, userPool, tokenKeys, operatorKeys, phoneCodes, health, requireMasterKeys } = isolateOf(c.env);
  await requireMasterKeys();
  c.set("health", health);
  c.set("phoneCodes", phoneCodes);
  c.set("deps", deps);
  c.set("userPool", userPool);
  c.set("tokenKeys", tokenKeys);
  c.set("operatorKeys", operatorKeys);
  await next();
});

function createIsolate(env: Env): Isolate {
  const deps = createDeps(env, {
    log: requestLog,
    onStatement: countStatement,
    afterwards: afterResponse,
  });
  for (const { part, problem } of deps.config.problems)
    requestLog("error", "config.invalid", { part, stops: SETTING_PARTS[part], problem });
  const userPool = openUserPool(deps, env);
  return {
    deps,
    userPool,
    tokenKeys: createTokenKeys(deps, userPool),
    operatorKeys: createOperatorKeys(deps),
    phoneCodes: openPhoneCodes(deps),
    health: createHealth(deps),
    // Not counted as a statement of the request that happens to be the isolate's first.
    requireMasterKeys: createKeyCheck({ ...deps, db: openDb(env.DB) }),
  };
}

/** When deployed, `env` is one object; the development server copies it for each request, with the same bindings. */
function isSameEnv(one: Env, other: Env): boolean {
  if (one === other) return true;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => Object.is(one[name], other[name]))
  );
}

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
