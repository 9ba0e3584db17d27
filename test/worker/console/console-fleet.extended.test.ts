import { env, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { openDb } from "../../../db/client.ts";
import { deleteOldFleetStates, sampleFleetStates } from "../../../db/queries/fleet/state-history.ts";
import type {
  CityHoursResponse,
  FleetDriversResponse,
  FleetResponse,
} from "../../../worker/contract/console/fleet.ts";
import { parseResponse } from "../../support/driver-client.ts";
import { postJson } from "../../support/sandbox-client.ts";
import { owner, support } from "../console-harness.ts";
import {
  advanceClock,
  apiTarget,
  createActiveDriver,
  driverObject,
  injectFault,
  platformWorld,
  publishOffer,
  resetPlatform,
  runAlarm,
  setSystemSwitch,
  type TestDriver,
} from "../harness.ts";
import { MINUTE_MS, type DriverId } from "../../../db/shapes/units.ts";
import { watcherOf } from "../../../durable/watch/watchers.ts";
import { storeReports, watchedRows } from "../watched.ts";

beforeEach(async () => {
  await resetPlatform();
  const tables = [
    "driver_states",
    "fleet_hours",
    "fleet_state_counts",
    "city_hours",
    "heartbeats",
    "payment_alerts",
    "service_alerts",
    "cron_steps",
  ];
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
});

const fleet = async (client = owner, span = "day") => {
  await storeReports();
  return parseResponse<FleetResponse>(await client.call("GET", `/fleet?span=${span}`), "fleet");
};
const listed = async (list: string, client = owner) =>
  (await parseResponse<FleetDriversResponse>(await client.call("GET", `/fleet/drivers?in=${list}`), list))
    .drivers;

/** Lets so much time pass that what was counted is due. */
async function report(driver: TestDriver): Promise<void> {
  advanceClock(16 * 60_000);
  await runAlarm(driver);
}

describe("the cities", () => {
  it("are counted by what their drivers' objects saw and took, for operators alone", async () => {
    const driver = await createActiveDriver();
    const city =
      (await env.DB.prepare("SELECT human_region FROM users").first<string>("human_region")) ?? "other";
    await publishOffer(driver.warehouseIds[0]!);
    await runAlarm(driver);
    await report(driver);
    const cities = async () => {
      await storeReports();
      return parseResponse<CityHoursResponse>(await support.call("GET", "/fleet/cities?span=day"), "cities");
    };
    await expect.poll(async () => (await cities()).cities).toHaveLength(1);
    const [counted] = (await cities()).cities;
    expect(counted).toMatchObject({ city, silence: null, lastCaptureAt: expect.any(Number) });
    expect(counted?.hours).toHaveLength(24);
    const sum = (of: "offers" | "matches" | "captures") =>
      counted?.hours.reduce((total, hour) => total + hour[of], 0);
    expect([sum("offers"), sum("matches"), sum("captures")]).toEqual([1, 1, 1]);
    const path = `${apiTarget.origin}/ops/v1/fleet/cities`;
    const headers = { authorization: `Bearer ${driver.token}` };
    expect((await apiTarget.fetch(path, { headers })).status).toBe(401);
  });
});

describe("the fleet", () => {
  it("counts drivers by what their objects do, at once where they need somebody", async () => {
    const [looking, off] = [await createActiveDriver(), await createActiveDriver()];
    const drivers = async () => (await fleet()).drivers;
    await expect.poll(drivers).toMatchObject({ on: 2, looking: 2, off: 0, stale: 0 });
    await setSystemSwitch(off, false);
    await expect.poll(async () => (await drivers()).off).toBe(1);
    const platform = await platformWorld(apiTarget);
    const account = platform.drivers.find(({ email }) => email === looking.email);
    await postJson(apiTarget, `/sandbox/platform/drivers/${account?.driverId}/sign-out`, {});
    advanceClock(10_000);
    await runAlarm(looking);
    await expect.poll(drivers).toMatchObject({ on: 1, looking: 0, signedOut: 1 });
    expect(await listed("signedOut")).toMatchObject([{ id: looking.driverId, phone: looking.phoneNumber }]);
    expect((await listed("signedOut", support))[0]?.phone).toBe(`••• ${looking.phoneNumber.slice(-4)}`);
  });

  it("adds captures, what was tried in vain, answers and lateness up by the hour", async () => {
    const driver = await createActiveDriver();
    await publishOffer(driver.warehouseIds[0]!);
    await runAlarm(driver);
    await injectFault({ operation: "listOffers", fault: "503", times: 1 });
    advanceClock(10_000);
    await runAlarm(driver);
    advanceClock(10_000);
    await runAlarm(driver);
    await report(driver);
    await expect.poll(async () => (await fleet()).answers.failed).toBe(1);
    const { hours, answers, lateness } = await fleet();
    expect(hours).toHaveLength(24);
    expect(hours.reduce((sum, { captures }) => sum + captures, 0)).toBe(1);
    expect(hours.reduce((sum, { errors }) => sum + errors, 0)).toBe(1);
    expect(answers.answered).toBeGreaterThanOrEqual(3);
    expect(lateness.polls).toBeGreaterThan(0);
    expect(lateness.bins.reduce((sum, { polls }) => sum + polls, 0)).toBe(lateness.polls);
    expect((await fleet(owner, "week")).hours).toHaveLength(168);
  });

  it("counts every call without an answer that could be used as an error, whatever failed", async () => {
    const hour = Math.floor(Date.now() / 3_600_000);
    const failures = { failed: 1, name_not_found: 2, untrusted: 4, not_listening: 8, disconnected: 16 };
    const counts = { ...failures, timed_out: 32, unreadable: 64, refused: 128, answered: 256, limited: 512 };
    const columns = Object.keys(counts);
    await env.DB.prepare(
      `INSERT INTO fleet_hours (hour, shard, ${columns.join(", ")}) VALUES (?, 1${", ?".repeat(columns.length)})`,
    )
      .bind(hour, ...Object.values(counts))
      .run();
    expect((await fleet()).hours.at(-1)).toMatchObject({ errors: 255, refusals: 512, answers: 256 });
  });

  it("compares each hour with the middle one of the same hours of the weeks before, whatever a bad week counted", async () => {
    const hour = Math.floor(Date.now() / 3_600_000);
    const counted = [
      [1, 12, 3],
      [2, 0, 900],
      [3, 14, 2],
      [5, 99, 99],
    ] as const;
    await env.DB.batch(
      counted.map(([weeks, captures, failed]) =>
        env.DB.prepare(`INSERT INTO fleet_hours (hour, shard, captures, failed) VALUES (?, 1, ?, ?)`).bind(
          hour - weeks * 168,
          captures,
          failed,
        ),
      ),
    );
    const { hours } = await fleet();
    expect(hours.at(-1)?.usual).toEqual({ captures: 12, losses: 0, errors: 3 });
    expect(hours.at(-2)?.usual).toBeNull();
    // The span's own counts stay without what it is compared with.
    expect(hours.reduce((sum, { captures }) => sum + captures, 0)).toBe(0);
  });

  it("counts drivers by state once in a quarter of an hour, with the present ones last", async () => {
    const db = openDb(env.DB);
    const add = (id: string, state: string) =>
      env.DB.prepare(
        `INSERT OR REPLACE INTO driver_states (driver_id, state, since, reported_at) VALUES (?, ?, 1, 1)`,
      )
        .bind(id, state)
        .run();
    await add("one", "polling");
    await add("two", "polling");
    const quarter = 900_000;
    const before = Math.floor(Date.now() / quarter) * quarter - 2 * quarter;
    await sampleFleetStates(db, { now: before, staleAt: before - 120_000 });
    await add("two", "unreachable");
    await sampleFleetStates(db, { now: before + 60_000, staleAt: before + 60_000 - 120_000 });
    await sampleFleetStates(db, { now: before + quarter, staleAt: before + quarter - 120_000 });
    const { states } = await fleet();
    expect(states.slice(0, 2)).toEqual([
      { at: before, drivers: { polling: 2 } },
      { at: before + quarter, drivers: { polling: 1, unreachable: 1 } },
    ]);
    expect(states.at(-1)?.drivers).toEqual({ polling: 1, unreachable: 1 });
    await deleteOldFleetStates(db, before + quarter);
    expect((await fleet()).states).toHaveLength(2);
  });

  it("names what needs somebody: who is stale, money without service, a ceiling of texts", async () => {
    const driver = await createActiveDriver();
    await expect.poll(async () => (await fleet()).drivers.on).toBe(1);
    expect((await fleet()).attention).toEqual([]);
    await env.DB.batch([
      env.DB.prepare(
        `INSERT OR REPLACE INTO heartbeats (driver_id, object_name, due_at) VALUES (?, 'o', 1)`,
      ).bind(driver.driverId),
      env.DB.prepare(
        `INSERT INTO payment_alerts (id, kind, intent_id, payment_id, at) VALUES ('mismatch:pi_1', 'mismatch', 'pi_1', NULL, 5)`,
      ),
      env.DB.prepare(
        `INSERT INTO service_alerts (name, reason, since, until) VALUES ('texts_day', 'ceiling', 7, ?)`,
      ).bind(Date.now() + 60_000),
      env.DB.prepare(
        `INSERT OR REPLACE INTO cron_steps (name, started_at, overdue_at, failure) VALUES ('spots', 1, 8, 'TypeError')`,
      ),
    ]);
    expect((await fleet(support)).attention).toEqual([
      { kind: "stale", drivers: 1 },
      { kind: "money", alert: "mismatch", driverId: null, since: 5 },
      { kind: "texts", alert: "texts_day", reason: "ceiling", since: 7 },
      { kind: "texts", alert: "cron.spots", reason: "TypeError", since: 8 },
    ]);
    expect(await listed("stale")).toMatchObject([{ id: driver.driverId, state: "polling" }]);
  });

  it("names every alert that stands, also beside dozens of one kind", async () => {
    const add = env.DB.prepare(
      `INSERT INTO service_alerts (name, reason, since, until) VALUES (?, 'r', 7, ?)`,
    );
    const names = [
      ...Array.from({ length: 40 }, (_, field) => `platform.drift.offers.field${field}`),
      "queues.dead",
      "renewals.failing",
    ];
    await env.DB.batch(names.map((name) => add.bind(name, Date.now() + 60_000)));
    const { attention } = await fleet();
    expect(attention.flatMap((item) => (item.kind === "texts" ? [item.alert] : [])).toSorted()).toEqual(
      names.toSorted(),
    );
  });

  it("says when the platform signs many out, refuses everybody or fails", async () => {
    const hour = Math.floor(Date.now() / 3_600_000);
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO fleet_hours (hour, shard, answered, forbidden, limited, failed) VALUES (?, 1, 10, 40, 40, 10)`,
      ).bind(hour),
      ...[1, 2, 3, 4, 5].map((index) =>
        env.DB.prepare(
          `INSERT INTO driver_states (driver_id, state, since, reported_at) VALUES (?, 'signed_out', ?, 1)`,
        ).bind(`many-${index}`, Date.now() - 1000),
      ),
    ]);
    expect((await fleet()).attention).toEqual([
      { kind: "signed_out", drivers: 5 },
      { kind: "platform_refuses", percent: 80 },
    ]);
    await env.DB.prepare(`UPDATE fleet_hours SET failed = 900`).run();
    expect((await fleet()).attention).toContainEqual({ kind: "platform_fails", percent: 91 });
  });
});

describe("a poll", () => {
  it("that finds nothing leaves the object's storage as it was", async () => {
    const driver = await createActiveDriver();
    await runAlarm(driver);
    const stored = () =>
      runInDurableObject(driverObject(driver), (_object, { storage }) => {
        const tables = storage.sql
          .exec<{ name: string }>(
            `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'`,
          )
          .toArray();
        return tables.map(({ name }) => [name, storage.sql.exec(`SELECT * FROM ${name}`).toArray()]);
      });
    // Right after the driver's second of the minute, in which the heartbeat is due.
    advanceClock(MINUTE_MS - ((Date.now() - watcherOf(driver.driverId as DriverId, MINUTE_MS)) % MINUTE_MS));
    const dueAt = Date.now() + 3 * MINUTE_MS;
    await expect
      .poll(async () => {
        await runAlarm(driver);
        return (await watchedRows(driver))[0]?.due_at;
      })
      .toBeGreaterThanOrEqual(dueAt);
    advanceClock(4_000);
    await runAlarm(driver);
    const before = await stored();
    for (let poll = 0; poll < 3; poll += 1) {
      advanceClock(4_000);
      await runAlarm(driver);
    }
    expect(await stored()).toEqual(before);
  });

  it("goes on while the fleet's tables can't be written, and what was counted follows", async () => {
    const driver = await createActiveDriver();
    await env.DB.exec(`ALTER TABLE fleet_hours RENAME TO fleet_hours_away`);
    try {
      await publishOffer(driver.warehouseIds[0]!);
      await report(driver);
      await report(driver);
      // The day may have ended meanwhile, and its captures with it.
      expect((await driverObject(driver).snapshot()).held).toHaveLength(1);
    } finally {
      await env.DB.exec(`ALTER TABLE fleet_hours_away RENAME TO fleet_hours`);
    }
    await report(driver);
    await expect
      .poll(async () => (await fleet()).hours.reduce((sum, { captures }) => sum + captures, 0))
      .toBe(1);
  });
});
