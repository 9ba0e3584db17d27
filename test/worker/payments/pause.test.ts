import { env } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import type { PauseResponse } from "../../../db/shapes/money/pause.ts";
import type { DriverExport } from "../../../worker/contract/account/account.ts";
import {
  advanceClock,
  createActiveDriver,
  createDriver,
  driverObject,
  fetchPollCount,
  resetPlatform,
  runAlarm,
  type TestDriver,
} from "../harness.ts";

beforeEach(() => resetPlatform());

const DAY_MS = 86_400_000;
const HALF_HOUR_MS = 1_800_000;
const PAUSE = "/flex/v1/pause";

const status = ({ client }: TestDriver) => client.fetchJson<PauseResponse>("GET", PAUSE);

async function pauseFor({ client }: TestDriver, days: number): Promise<PauseResponse> {
  const answer = await client.call("POST", PAUSE, { body: { days } });
  expect(answer.status).toBe(200);
  return answer.json<PauseResponse>();
}

describe("a pause", () => {
  it("stops capturing and moves the end of the service, until it ends", async () => {
    const driver = await createActiveDriver();
    const before = await status(driver);
    expect(before).toMatchObject({ pausedUntil: null, pausesLeft: 4, daysLeft: 14, obstacle: null });
    const paused = await pauseFor(driver, 3);
    expect(paused).toMatchObject({
      serviceUntil: (before.serviceUntil ?? 0) + 3 * DAY_MS,
      pausesLeft: 3,
      daysLeft: 11,
    });
    const { phase, pausedUntil, serviceUntil } = await driverObject(driver).snapshot();
    expect({ phase, pausedUntil, serviceUntil }).toEqual({
      phase: { kind: "asleep", until: paused.pausedUntil },
      pausedUntil: paused.pausedUntil,
      serviceUntil: paused.serviceUntil,
    });
    await runAlarm(driver);
    const polls = await fetchPollCount(driver);
    advanceClock(DAY_MS);
    await runAlarm(driver);
    expect(await fetchPollCount(driver)).toBe(polls);
    advanceClock(2 * DAY_MS + 1_000);
    await runAlarm(driver);
    expect(await fetchPollCount(driver)).toBeGreaterThan(polls);
  });

  it("that is ended early gives back the rest, and capturing goes on", async () => {
    const driver = await createActiveDriver();
    const { serviceUntil } = await status(driver);
    const { pausedUntil } = await pauseFor(driver, 10);
    advanceClock(HALF_HOUR_MS);
    const answer = await driver.client.call("DELETE", PAUSE);
    const ended = await answer.json<PauseResponse>();
    const lastedMs = (ended.serviceUntil ?? 0) - (serviceUntil ?? 0);
    expect(lastedMs).toBeGreaterThanOrEqual(HALF_HOUR_MS);
    expect(lastedMs).toBeLessThan(HALF_HOUR_MS + 60_000);
    expect(ended).toMatchObject({ pausedUntil: null, pausesLeft: 3, daysLeft: 13 });
    expect((await driverObject(driver).snapshot()).phase.kind).not.toBe("asleep");
    const again = await driver.client.call("DELETE", PAUSE);
    expect(await again.json()).toEqual(ended);
    expect(pausedUntil).not.toBeNull();
  });

  it("that is begun in two tabs at once is one", async () => {
    const driver = await createActiveDriver();
    const { serviceUntil } = await status(driver);
    await Promise.all([pauseFor(driver, 2), pauseFor(driver, 2)]);
    expect(await status(driver)).toMatchObject({
      serviceUntil: (serviceUntil ?? 0) + 2 * DAY_MS,
      pausesLeft: 3,
      daysLeft: 12,
    });
    expect((await pauseFor(driver, 5)).daysLeft).toBe(12);
  });

  it("is in the export, with how much it took", async () => {
    const driver = await createActiveDriver();
    await pauseFor(driver, 1);
    const { service } = await driver.client.fetchJson<DriverExport>("GET", "/flex/v1/user/export");
    expect(service).toContainEqual(
      expect.objectContaining({ source: `pause:${driver.driverId}:1`, durationMs: DAY_MS }),
    );
  });
});

describe("no pause begins", () => {
  it("with less than three days of service left", async () => {
    const driver = await createDriver({ serviceMs: 3 * DAY_MS - 60_000 });
    const before = await status(driver);
    expect(before.obstacle).toBe("short");
    expect(await pauseFor(driver, 1)).toEqual(before);
  });

  it("of more days than the year has left, nor of a part of a day", async () => {
    const driver = await createActiveDriver();
    for (const days of [0, 15, 1.5])
      expect((await driver.client.call("POST", PAUSE, { body: { days } })).status).toBe(400);
    await pauseFor(driver, 13);
    advanceClock(HALF_HOUR_MS);
    await driver.client.call("DELETE", PAUSE);
    const before = await status(driver);
    expect(before).toMatchObject({ pausedUntil: null, daysLeft: 13 });
    expect(await pauseFor(driver, 14)).toEqual(before);
  });

  // The last: the city keeps its line.
  it("while somebody waits for a spot in the driver's city, which is said beforehand", async () => {
    const driver = await createActiveDriver();
    const other = await createDriver();
    const own = env.DB.prepare(`SELECT city FROM spots WHERE driver_id = ?`).bind(driver.driverId);
    const city = await own.first<string>("city");
    await env.DB.prepare(
      `INSERT INTO spots (driver_id, city, status, since, joined_place, check_at) VALUES (?, ?, 'waiting', 1, 1, 1)`,
    )
      .bind(other.driverId, city)
      .run();
    const before = await status(driver);
    expect(before).toMatchObject({ obstacle: "contested", pausesLeft: 4 });
    expect(await pauseFor(driver, 1)).toEqual(before);
  });
});
