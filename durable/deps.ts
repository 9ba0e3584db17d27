import { parseConfig, type Config } from "./runtime/config.ts";
import type { Env, RestoreRecordRpc } from "./runtime/env.ts";
import { openDb, type Db } from "../db/client.ts";
import { listDriverObjects } from "../db/queries/fleet/driver-objects.ts";
import { objectName, driverStub, formerStub } from "./driver/object-name.ts";
import type { DriverRpc } from "./runtime/driver-rpc.ts";
import type { DriverId, DurationMs, EpochMs } from "../db/shapes/units.ts";
import { noteFailures } from "./runtime/call-failure.ts";
import { createKeys, type Keys } from "./runtime/keys.ts";
import { Connections, type InTurn } from "./runtime/lane.ts";
import type { Afterwards } from "./runtime/afterwards.ts";
import { log, type Log } from "./runtime/log.ts";
import { createPlatform, type Platform } from "./platform/client.ts";
import { DriftBook } from "./driver/logs/drift-book.ts";
import { createPush, type Push } from "./messaging/push.ts";
import { createPushRefusals } from "./push-refusals.ts";
import { createSend, type Send } from "./runtime/send.ts";
import { createSms } from "./messaging/sms.ts";
import { createSecurityLog, type SecurityLog } from "./security-log.ts";
import { createTextDoor, type TextDoor } from "./texts/text-door.ts";
import { VERSION } from "./runtime/version.ts";
import { tickersOf, type TickerOf, watchersOf, type Watchers } from "./watch/watchers.ts";

/** Everything impure: clock, randomness, network, database, keys. */
export type Deps = {
  config: Config;
  now: () => EpochMs;
  roll: () => number;
  /** Resolves early if the signal aborts, so that no timer is left behind. */
  sleep: (length: DurationMs, signal?: AbortSignal) => Promise<void>;
  send: Send;
  connections: Connections;
  db: Db;
  keys: Keys;
  platform: Platform;
  /** The fields of the platform's answers that differ from its contract. */
  drift: DriftBook;
  /** A driver's object, near the platform, where latency decides who gets an offer. */
  driver: (id: DriverId) => DurableObjectStub<DriverRpc>;
  /**
   * All objects that a driver ever had, today's first: an object stays where it was made, so each region that was the
   * platform's has one. A deletion, an unlinking and a disabling must reach them all.
   */
  objectsOf: (id: DriverId) => Promise<DurableObjectStub<DriverRpc>[]>;
  /** The objects that wake drivers' objects which lost their alarm. */
  watchers: Watchers;
  /** The object that calls a driver's object for its polls; null where each has alarms of its own. */
  ticker: TickerOf;
  /** The record that outlives the database; null where it is not bound. */
  restoreRecord: () => DurableObjectStub<RestoreRecordRpc> | null;
  security: SecurityLog;
  /** Where codes are sent. */
  texts: TextDoor;
  /** The same for drivers' news of their blocks; null if no text gateway is configured. */
  driverTexts: Pick<TextDoor, "sendText"> | null;
  /** Null if no VAPID key pair is configured. */
  push: Push | null;
  log: Log;
};

/** Hooks that attribute log lines and D1 statements to a request, and put off what its caller needn't wait for. */
export type DepsHooks = { log?: Log; onStatement?: () => void; afterwards?: Afterwards };

function sleep(length: DurationMs, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, length);
    signal?.addEventListener("abort", end, { once: true });
  });
}

/**
 * The composition root of both the Worker and the driver's object.
 * @throws {ConfigError} if a setting is missing or malformed that everything needs
 */
export function createDeps(env: Env, hooks: DepsHooks = {}): Deps {
  const config = parseConfig(env);
  const now = () => Date.now();
  const send = createSend(env);
  const connections = new Connections();
  const inTurn: InTurn = (call) => connections.run("news", call);
  // A driver has one number, and up to ten browsers whose push services may hang one after the other.
  const firstInTurn: InTurn = (call) => connections.run("news", call, { goesFirst: true });
  const db = openDb(env.DB, hooks.onStatement);
  const writeLog = hooks.log ?? log;
  const texts = createTextDoor({
    ...config.texts,
    publicUrl: config.publicUrl,
    sms:
      config.sms &&
      createSms({
        ...config.sms,
        baseUrl: config.sms.url,
        send,
        inTurn: firstInTurn,
        note: noteFailures("texts", writeLog),
      }),
    db,
    now,
    log: writeLog,
    afterwards: hooks.afterwards,
  });
  const drift = new DriftBook({ db, now, log: writeLog });
  const keys = createKeys(config.masterKeys, config.lostMasterKeys);
  return {
    config,
    now,
    roll: () => Math.random(),
    sleep,
    send,
    connections,
    db,
    keys,
    driver: (id) => driverStub(env, config.platform.region, id),
    objectsOf: async (id) => {
      const today = objectName(config.platform.region, id);
      const names = await listDriverObjects(db, id);
      const former = names.filter((name) => name !== today).map((name) => formerStub(env, name));
      return [driverStub(env, config.platform.region, id), ...former];
    },
    watchers: watchersOf(env, config.watchers),
    ticker: tickersOf(env, config),
    restoreRecord: () => env.RESTORE_RECORD?.getByName("all") ?? null,
    security: createSecurityLog({ db, keys, now, log: writeLog }),
    platform: createPlatform({
      // Never called where it is malformed: a driver's object doesn't start then.
      baseUrl: config.isBroken("capture") ? "" : config.platform.url,
      userAgent: `Jornada/${VERSION} (+${config.publicUrl})`,
      send,
      note: noteFailures("platform", writeLog),
      now,
      onDrift: (field) => drift.note(field),
    }),
    drift,
    texts,
    driverTexts: config.sms && texts,
    push:
      config.vapid &&
      createPush({
        vapid: config.vapid,
        send,
        inTurn,
        now,
        note: noteFailures("push", writeLog),
        refusals: createPushRefusals({ db, now, log: writeLog }),
      }),
    log: writeLog,
  };
}
