import { parseConfig, type Config } from "./runtime/config.ts";
import type { Env } from "./runtime/env.ts";
import { openDb, type Db } from "../db/client.ts";
import type { DurationMs, EpochMs } from "../db/shapes/units.ts";
import { createKeys, type Keys } from "./runtime/keys.ts";
import { log, type Log } from "./runtime/log.ts";
import { createPlatform, type Platform } from "./platform/client.ts";
import { createPush, type Push } from "./push/push.ts";
import { createSend, type Send } from "./runtime/send.ts";
import { createSms, type Sms } from "./sms/sms.ts";
import { VERSION } from "./runtime/version.ts";

/** Everything that reaches outside the code: clock, chance, network, database, keys. */
export type Deps = {
  config: Config;
  now: () => EpochMs;
  roll: () => number;
  sleep: (length: DurationMs) => Promise<void>;
  send: Send;
  db: Db;
  keys: Keys;
  platform: Platform;
  /** Null where no way to send texts is set. */
  sms: Sms | null;
  /** Null where the deployment has no key pair for browser notifications. */
  push: Push | null;
  log: Log;
};

/** Who wants to know which request logs and asks D1. */
export type DepsHooks = { log?: Log; onStatement?: () => void };

/**
 * The composition root, for the Worker and the driver's object alike.
 * @throws {ConfigError} where a setting is missing or malformed
 */
export function createDeps(env: Env, hooks: DepsHooks = {}): Deps {
  const config = parseConfig(env);
  const now = () => Date.now();
  const send = createSend(env);
  return {
    config,
    now,
    roll: () => Math.random(),
    sleep: (length) => new Promise((resolve) => setTimeout(resolve, length)),
    send,
    db: openDb(env.DB, hooks.onStatement),
    keys: createKeys(config.masterKeys),
    platform: createPlatform({
      baseUrl: config.platform.url,
      userAgent: `Jornada/${VERSION} (+${config.publicUrl})`,
      send,
      now,
    }),
    sms: config.sms && createSms({ ...config.sms, baseUrl: config.sms.url, send }),
    push: config.vapid && createPush({ vapid: config.vapid, send }),
    log: hooks.log ?? log,
  };
}
