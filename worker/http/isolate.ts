import { createMiddleware } from "hono/factory";
import { createDeps } from "../../durable/deps.ts";
import { toBase64Url } from "../../durable/runtime/base64.ts";
import type { Env } from "../../durable/runtime/env.ts";
import type { Keys } from "../../durable/runtime/keys.ts";
import { openDb, type Db } from "../../db/client.ts";
import { SETTING_PARTS } from "../../durable/runtime/setting-groups.ts";
import { loadSeenKeys, noteKeys, type MasterKeyPrint } from "../../db/queries/identity/master-keys.ts";
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
 * Checks, once for each isolate, that no master key is missing under which something is still sealed, and none is another than
 * before: serving without it would sign drivers out and have them reset their passwords, though the key may only have been
 * forgotten.
 * @returns a function that throws {ConfigError} as long as one is missing
 */
export function createKeyCheck({
  db,
  now,
  keys,
  config: { masterKeyIds, lostMasterKeys },
}: {
  db: Db;
  now: () => EpochMs;
  keys: Pick<Keys, "derive">;
  config: Pick<Config, "masterKeyIds" | "lostMasterKeys">;
}): () => Promise<void> {
  let isChecked = false;
  return async () => {
    if (isChecked) return;
    // Without the database there is nothing to harm yet, and what needs it says so itself: the next call checks.
    const seen = await loadSeenKeys(db).catch(() => null);
    if (seen === null) return;
    const inUse = seen.uses.filter(({ uses }) => uses > 0);
    const missing = inUse.filter(
      ({ keyId }) => !masterKeyIds.includes(keyId) && !lostMasterKeys.includes(keyId),
    );
    const prints = await printsOf(keys, masterKeyIds);
    const unseen = prints.filter(({ keyId, print }) => printIn(seen.prints, keyId) !== print);
    const exchanged = unseen
      .map(({ keyId }) => keyId)
      .filter((id) => printIn(seen.prints, id) !== null && inUse.some(({ keyId }) => keyId === id));
    const problems = [...describeMissing(missing), ...exchanged.map(describeExchanged)];
    if (problems.length > 0) throw new ConfigError(problems.join("\n"));
    const [currentId = ""] = masterKeyIds;
    if (unseen.length > 0 || !seen.uses.some(({ keyId }) => keyId === currentId))
      await noteKeys(db, { currentId, prints: unseen, now: now() });
    isChecked = true;
  };
}

/** As many bytes tell keys apart, and nothing of them. */
const PRINT_BYTES = 8;

async function printsOf(keys: Pick<Keys, "derive">, ids: readonly string[]): Promise<MasterKeyPrint[]> {
  const derived = await keys.derive("print", "");
  return ids.map((keyId, index) => ({
    keyId,
    print: toBase64Url((derived[index] ?? new Uint8Array()).slice(0, PRINT_BYTES)),
  }));
}

function printIn(prints: readonly MasterKeyPrint[], id: string): string | null {
  return prints.find(({ keyId }) => keyId === id)?.print ?? null;
}

function describeExchanged(id: string): string {
  return `MASTER_KEYS has another key under the id ${id} than the one that still seals something. Put that one back, and give the new key an id of its own`;
}

function describeMissing(missing: readonly { keyId: string; what: string; uses: number }[]): string[] {
  return [...new Set(missing.map(({ keyId }) => keyId))].map((id) => {
    const counted = missing.filter(({ keyId, what }) => keyId === id && what !== "current");
    const sealed = counted.map(({ what, uses }) => `${uses} ${what.replaceAll("_", " ")}`).join(", ");
    return `MASTER_KEYS lacks the key ${id}, which still seals ${sealed || "what is not counted yet"}. Put it back after the others until health names it no more, or name it in LOST_MASTER_KEYS if it is gone for good`;
  });
}
