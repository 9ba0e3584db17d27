import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { loadDriver, toDriverOwner } from "../../../db/queries/accounts/drivers.ts";
import { openDb } from "../../../db/client.ts";
import type { LogEntry } from "../../../db/shapes/log/driver-log.ts";
import { driverId as driverIdShape } from "../../../db/shapes/units.ts";
import earlier from "../../fixtures/stored/driver/v0-f5a16e6-whole-object.json";
import before from "../../fixtures/stored/driver/v0-3e9e27b-whole-object.json";
import first from "../../fixtures/stored/driver/v1-whole-object.json";
import { decodeVersioned } from "../../../db/shapes/versioned.ts";
import { Store } from "../../../durable/driver/storage/store.ts";
import { initialState } from "../../../durable/engine/initial-state.ts";
import { storedTokens } from "../../../durable/platform/token-manager.ts";
import { createKeys } from "../../../durable/runtime/keys.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { resetPlatform } from "../harness.ts";
import { driverInsert } from "../../support/driver-insert.ts";

type Row = Record<string, string | number | null>;
type WholeObject = { takenAt: number; objectName: string; schema: string[]; tables: Record<string, Row[]> };

const OBJECTS: [string, WholeObject][] = [
  ["f5a16e6", earlier],
  ["3e9e27b", before],
  ["version 1", first],
];

const driverId = z.parse(driverIdShape, before.objectName.split(":")[1]);
const object = () => env.DRIVER.getByName(before.objectName);

beforeEach(async () => {
  await resetPlatform();
  // The log is kept for 30 days, so only the date is faked.
  vi.useFakeTimers({ toFake: ["Date"], now: before.takenAt });
  const { query, values } = driverInsert({
    id: driverId,
    phoneNumber: "+15550100104",
    proxyInstalled: true,
    revision: 1000,
  });
  await env.DB.prepare(query)
    .bind(...values)
    .run();
});

afterEach(async () => {
  await object().deleteAccount();
  await env.DB.prepare(`DELETE FROM users WHERE id = ?`).bind(driverId).run();
  vi.useRealTimers();
});

/** An object with the storage that an earlier version wrote. */
async function start({ schema, tables }: WholeObject): Promise<void> {
  await runInDurableObject(object(), async (_object, { storage }) => {
    await storage.deleteAll();
    for (const statement of schema) storage.sql.exec(statement);
    for (const [table, rows] of Object.entries(tables)) {
      for (const row of rows) {
        const columns = Object.keys(row);
        const places = columns.map(() => "?").join(", ");
        storage.sql.exec(
          `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`,
          ...Object.values(row),
        );
      }
    }
  });
  await evictDurableObject(object());
}

async function readLog(limit: number): Promise<LogEntry[]> {
  const log: LogEntry[] = [];
  for (;;) {
    const page = await object().logPage({ after: log.at(-1)?.seq ?? 0, limit });
    log.push(...page);
    if (page.length < limit) return log;
  }
}

const storedText = () =>
  runInDurableObject(object(), (_object, { storage }) =>
    JSON.stringify(
      ["state", "attempts", "events"].map((table) => storage.sql.exec(`SELECT * FROM ${table}`).toArray()),
    ),
  );

describe.each(OBJECTS)("an object written by %s", (_landing, whole) => {
  it("shows the driver everything that was stored", async () => {
    await start(whole);
    const snapshot = await object().snapshot();
    expect(snapshot).toMatchObject({
      seq: 40,
      switchedOn: true,
      mode: "lucrative",
      timeZone: "America/New_York",
      phase: { kind: "unreachable" },
    });
    expect([snapshot.held.length, snapshot.warehouses.length]).toEqual([2, 7]);
    expect(snapshot.feed.length).toBeGreaterThan(5);
    for (const name of ["won", "disliked", "lost"] as const) {
      const all = await object().list(name, { cursor: Number.MAX_SAFE_INTEGER, limit: 50 });
      expect(all.length, name).toBe(whole.tables["events"]?.filter(({ list }) => list === name).length);
    }
    expect((await readLog(7)).map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
    expect(await object().countUnreadableRows()).toBe(0);
  });

  it("continues with unknown attempt, activity, warnings, tokens and outbox", async () => {
    await start(whole);
    const { state, sealed, due } = await runInDurableObject(object(), (_object, { storage }) => {
      const store = new Store(storage, { log: () => {}, now: () => whole.takenAt, objectName: null });
      return {
        state: store.load(initialState("0123456789abc")),
        sealed: store.state.sealedTokens(),
        due: store.outbox.due(Number.MAX_SAFE_INTEGER),
      };
    });
    const [attempt] = state.openAttempts.values();
    expect([state.openAttempts.size, attempt?.outcome, attempt?.endedAt]).toEqual([
      1,
      { status: "unknown", tries: 1, triedAt: attempt?.createdAt },
      null,
    ]);
    expect([state.attemptSeq, state.verdicts.size, state.link.status]).toEqual([3, 10, "linked"]);
    expect(state.offerActivity.lastNewAt).toBeGreaterThan(1_795_530_000_000);
    const hasWarnings = whole !== earlier;
    expect([state.expiryWarnings.endsAt !== null, state.seenServiceChanges.length > 0]).toEqual([
      hasWarnings,
      hasWarnings,
    ]);
    const keys = createKeys(DEMO_SETTINGS.MASTER_KEYS);
    const plain = await keys.open("tokens", { sealed: sealed ?? "", context: driverId });
    expect(decodeVersioned(storedTokens, plain ?? "")).toMatchObject({ accessToken: expect.any(String) });
    const kinds = due.map(({ item }) => item.kind);
    expect(kinds).toEqual(whole === earlier ? ["block_won", "text"] : ["block_won", "text", "push"]);
    expect(due.map(({ item }) => item.kind === "text" && item.body)).toContainEqual(
      expect.stringContaining("block captured"),
    );
  });

  it("rewrites no row when it starts", async () => {
    await start(whole);
    await object().snapshot();
    const rewritten = await runInDurableObject(object(), (_object, { storage }) =>
      storage.sql.exec<{ key: string }>(`SELECT key FROM state WHERE version > 0`).toArray(),
    );
    const isFirst = whole === first;
    expect(rewritten.map(({ key }) => key)).toEqual(
      isFirst ? expect.arrayContaining(["owner"]) : ["keyPrefix"],
    );
  });

  it("can be switched off, unlinked and deleted", async () => {
    await start(whole);
    const record = await loadDriver(openDb(env.DB), driverId);
    if (!record) throw new Error("no record");
    await object().configure(toDriverOwner(record), record.profile);
    expect(await object().snapshot()).toMatchObject({ switchedOn: false, phase: { kind: "off" } });
    await object().unlink();
    expect((await object().snapshot()).held).toEqual([]);
    await object().deleteAccount();
    expect(JSON.parse(await storedText())).toEqual([[], [], []]);
  });
});
