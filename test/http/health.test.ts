import { beforeEach, describe, expect, it, vi } from "vitest";
import { openDb } from "../../db/client.ts";
import { countKeyUses } from "../../db/queries/identity/master-keys.ts";
import { ConfigError } from "../../durable/runtime/config.ts";
import { createKeys } from "../../durable/runtime/keys.ts";
import type { SettingProblem } from "../../durable/runtime/setting-groups.ts";
import type { Log } from "../../durable/runtime/log.ts";
import { createHealth } from "../../worker/http/health.ts";
import { createKeyCheck } from "../../worker/http/isolate.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

const database = migratedDatabase();
const log = vi.fn<Log>();
let reads = 0;
let isDown = false;
const db = openDb(
  bindD1(database, async (work) => {
    reads += 1;
    if (isDown) throw new Error("D1_ERROR: Network connection lost.");
    return work();
  }),
);

beforeEach(() => {
  reads = 0;
  isDown = false;
  log.mockClear();
  database.exec("DELETE FROM service_alerts; DELETE FROM master_key_uses; DELETE FROM cron_steps");
});

const alert = (name: string, reason: string, until = NOW + 1) =>
  database
    .prepare("INSERT INTO service_alerts (name, reason, since, until) VALUES (?, ?, 0, ?)")
    .run(name, reason, until);
const sealed = (keyId: string, what: string, uses: number) =>
  database
    .prepare("INSERT INTO master_key_uses (key_id, what, uses, counted_at) VALUES (?, ?, ?, 0)")
    .run(keyId, what, uses);

const gateway = {
  url: "",
  accountSid: "",
  authToken: "",
  signingTokens: [],
  from: "",
  sender: "number",
} as const;

function healthOf({
  sms = gateway,
  masterKeyIds = ["new", "old"],
  problems = [],
}: { sms?: typeof gateway | null; masterKeyIds?: string[]; problems?: SettingProblem[] } = {}) {
  let now = NOW;
  const check = createHealth({ db, log, now: () => now, config: { sms, masterKeyIds, problems } });
  return { check, at: (instant: number) => ((now = instant), check()) };
}

describe("health", () => {
  it("has nothing to say where all is well", async () => {
    expect(await healthOf().check()).toEqual({
      degraded: [],
      reasons: {},
      olderKeys: {},
      lastCron: {},
      alsoDegraded: [],
    });
  });

  it("names the parts that alerts stand for, and their reasons", async () => {
    alert("texts.gateway", "busy");
    alert("texts.to_new_numbers", "hour");
    alert("keys.lost", "old");
    alert("texts.over", "day", NOW);
    expect(await healthOf().check()).toEqual({
      degraded: ["texts", "keys"],
      reasons: { "texts.gateway": "busy", "texts.to_new_numbers": "hour", "keys.lost": "old" },
      olderKeys: {},
      lastCron: {},
      alsoDegraded: [],
    });
  });

  it("says that no texts can be sent without a gateway", async () => {
    expect(await healthOf({ sms: null }).check()).toMatchObject({
      degraded: ["texts"],
      reasons: { "texts.gateway": "no_gateway" },
    });
  });

  it("names the malformed settings of each part that stops, and no second reason for it", async () => {
    const problem = { part: "texts", problem: "" } as const;
    const problems: SettingProblem[] = [
      { ...problem, name: "TWILIO_FROM" },
      { ...problem, name: "TEXT_COUNTRIES" },
      { part: "contacts", name: "SUPPORT_PHONE", problem: "" },
    ];
    const { reasons, degraded, alsoDegraded } = await healthOf({ sms: null, problems }).check();
    expect({ reasons, degraded, alsoDegraded }).toEqual({
      reasons: { "settings.texts": "TWILIO_FROM, TEXT_COUNTRIES", "settings.contacts": "SUPPORT_PHONE" },
      degraded: [],
      alsoDegraded: ["settings"],
    });
  });

  it("says when each step of the crons last succeeded, and names those that didn't in time", async () => {
    const step = database.prepare("INSERT INTO cron_steps VALUES (?, 1, ?, ?, ?)");
    step.run("renewals", 5, "TypeError", NOW - 1);
    step.run("spots", 6, null, NOW - 1);
    step.run("news", 7, "Error", NOW);
    step.run("events", null, null, NOW);
    expect(await healthOf().check()).toMatchObject({
      alsoDegraded: ["cron"],
      reasons: { "cron.renewals": "TypeError", "cron.spots": "missed" },
      lastCron: { renewals: 5, spots: 6, news: 7 },
    });
  });

  it("counts what older keys still seal", async () => {
    sealed("new", "passwords", 7);
    sealed("old", "current", 1);
    sealed("old", "passwords", 2);
    sealed("older", "sessions", 3);
    sealed("oldest", "sessions", 0);
    expect((await healthOf().check()).olderKeys).toEqual({ old: 3, older: 3 });
  });

  it("says that the database can't be reached, and doesn't fail", async () => {
    isDown = true;
    expect(await healthOf().check()).toEqual({
      degraded: ["database"],
      reasons: { database: "unreachable" },
      olderKeys: {},
      lastCron: {},
      alsoDegraded: [],
    });
    const facts = { service: "database", cause: "reset", error: "DrizzleQueryError" };
    expect(log.mock.calls).toEqual([["warn", "call.failed", expect.objectContaining(facts)]]);
  });

  it("is read once in ten seconds, whichever way the clock goes", async () => {
    const { at } = healthOf();
    await at(NOW);
    const once = reads;
    await at(NOW + 9_999);
    expect(reads).toBe(once);
    await at(NOW + 10_000);
    expect(reads).toBe(2 * once);
    await at(NOW);
    expect(reads).toBe(3 * once);
  });
});

describe("the check of the master keys", () => {
  /** Keys by their ids; `id:letter` has other bytes than the id alone. */
  const check = (named: string[], lostMasterKeys: string[] = []) => {
    const parts = named.map((name) => name.split(":"));
    const setting = parts.map(([id = "", letter = "-"]) => `${id}:${btoa(`${letter}${id}`.padEnd(32, "k"))}`);
    const masterKeyIds = parts.map(([id = ""]) => id);
    const keys = createKeys(setting.join(","));
    return createKeyCheck({ db, now: () => NOW, keys, config: { masterKeyIds, lostMasterKeys } });
  };
  const stored = () =>
    database.prepare("SELECT key_id, what FROM master_key_uses ORDER BY key_id, what").all();

  it("notes the current key, once", async () => {
    const passes = check(["new"]);
    await passes();
    expect(database.prepare("SELECT * FROM master_key_uses").all()).toEqual([
      { key_id: "new", what: "current", uses: 1, counted_at: NOW },
      { key_id: "new", what: expect.stringMatching(/^print:[\w-]{11}$/), uses: 0, counted_at: NOW },
    ]);
    const before = reads;
    await passes();
    expect(reads).toBe(before);
    await check(["new"])();
    expect(reads).toBe(before + 1);
    await check(["newer", "new"])();
    expect(
      database.prepare("SELECT key_id AS id FROM master_key_uses WHERE what = 'current' ORDER BY id").all(),
    ).toEqual([{ id: "new" }, { id: "newer" }]);
  });

  it("fails on every call while a key is missing, and says what it seals", async () => {
    sealed("old", "current", 1);
    sealed("old", "signing_keys", 2);
    sealed("old", "passwords", 3);
    sealed("older", "current", 1);
    sealed("oldest", "passwords", 0);
    const fails = check(["new"]);
    const message = [
      "MASTER_KEYS lacks the key old, which still seals 2 signing keys, 3 passwords. Put it back after the others until health names it no more, or name it in LOST_MASTER_KEYS if it is gone for good",
      "MASTER_KEYS lacks the key older, which still seals what is not counted yet. Put it back after the others until health names it no more, or name it in LOST_MASTER_KEYS if it is gone for good",
    ].join("\n");
    await expect(fails()).rejects.toThrow(new ConfigError(message));
    await expect(fails()).rejects.toThrow(message);
    expect(database.prepare("SELECT key_id FROM master_key_uses WHERE key_id = 'new'").all()).toEqual([]);
    await check(["new", "old", "older"])();
    await check(["new", "old"], ["older"])();
    await expect(check(["new", "older"], ["gone"])()).rejects.toThrow("the key old,");
  });

  it("fails where a key in use has other bytes than before, and takes any again once nothing is sealed under it", async () => {
    await check(["k1"])();
    sealed("k1", "passwords", 3);
    const before = stored();
    await expect(check(["k1:other"])()).rejects.toThrow(
      new ConfigError(
        "MASTER_KEYS has another key under the id k1 than the one that still seals something. Put that one back, and give the new key an id of its own",
      ),
    );
    await expect(check(["k2", "k1:other"])()).rejects.toThrow("under the id k1");
    expect(stored()).toEqual(before);
    await check(["k2", "k1"])();
    await countKeyUses(db, "k2", NOW);
    expect(stored().filter(({ what }) => String(what).startsWith("print:"))).toHaveLength(2);
    await check(["k2", "k1:other"])();
    await expect(check(["k2:other"])()).rejects.toThrow("under the id k2");
  });

  it("takes the keys of a database of the former release as they are", async () => {
    sealed("k1", "current", 1);
    sealed("k1", "passwords", 3);
    await check(["k1"])();
    await expect(check(["k1:other"])()).rejects.toThrow(ConfigError);
  });

  it("waits for the database, and checks once it is there", async () => {
    sealed("old", "passwords", 1);
    const checks = check(["new"]);
    isDown = true;
    await checks();
    isDown = false;
    await expect(checks()).rejects.toThrow("the key old");
  });
});
