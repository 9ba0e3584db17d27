import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { openDb, type Db } from "../../../db/client.ts";
import { loadRevision } from "../../../db/queries/accounts/drivers.ts";
import { saveFleetReports } from "../../../db/queries/fleet/reports.ts";
import { listWaitingBlocks, listWonDays } from "../../../db/queries/work/blocks-won.ts";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
} from "../../../db/shapes/notifications.ts";
import type { DriverOwner } from "../../../db/shapes/profile.ts";
import { driverId, HOUR_MS, MINUTE_MS, type DriverId, type EpochMs } from "../../../db/shapes/units.ts";
import { FleetReporter } from "../../../durable/driver/logs/fleet-reporter.ts";
import { initialState } from "../../../durable/engine/initial-state.ts";
import type { DriverState } from "../../../durable/engine/state/types.ts";
import { isHourlyDue, isLateLookDue } from "../../../durable/watch/own-turn.ts";
import { nextFlushAt, ReportQueue } from "../../../durable/watch/report-queue.ts";
import { watcherOf } from "../../../durable/watch/watchers.ts";
import { makeProfile, SETTINGS } from "../../engine/fixtures.ts";
import { UNCHANGED } from "../../engine/steps.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";
import { openStorage } from "../../support/watchers.ts";

const OBJECTS = 10_000;
const WATCHERS = 16;
const POLL_MS = 3_000;
/** D1 answers a statement in a millisecond, one after the other. */
const STATEMENT_MS = 1;
const BORN = Date.parse("2026-11-02T12:00:00Z");
const POLLING: DriverState = {
  ...initialState("herds"),
  profile: makeProfile(),
  link: { status: "linked" },
  phase: { kind: "polling" },
};
const STEP = { before: POLLING, event: UNCHANGED, state: POLLING, effects: [] };

/** Ids as random as the user pool's, the same in each run. */
const drivers = Array.from({ length: OBJECTS }, (_, index) => {
  const digits = createHash("sha256").update(`driver ${index}`).digest("hex");
  const parts = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20)];
  return driverId.parse([...parts, digits.slice(20, 32)].join("-"));
});
const clock = { now: BORN };
/** When each statement came to D1. */
let statements: EpochMs[] = [];
const db: Db = openDb(bindD1(migratedDatabase(), undefined, () => void statements.push(clock.now)));

function ownerOf(id: DriverId): DriverOwner {
  return {
    driverId: id,
    phoneNumber: "+15550100100",
    language: "en",
    timeZone: "America/New_York",
    notifications: DEFAULT_NOTIFICATION_PREFERENCES,
    reminders: DEFAULT_REMINDER_PREFERENCES,
  };
}

/** The memory that an object has of its former life. */
type Memory = { hourlyAt: (id: DriverId) => EpochMs; isLate: boolean };

/** All objects begin a life within one gap between two polls, and poll on for a minute. @returns the reports by watcher */
async function liveAMinute({ hourlyAt, isLate }: Memory): Promise<number[]> {
  const queues = Array.from({ length: WATCHERS }, (_, number) => ({
    number,
    reports: new ReportQueue(openStorage()),
    flushAt: Infinity,
    taken: 0,
  }));
  const objects = drivers.map((id, index) => ({
    id,
    owner: ownerOf(id),
    lastAt: hourlyAt(id),
    lateSince: isLate ? BORN : null,
    pollAt: BORN + ((index * 7_919) % POLL_MS),
    fleet: new FleetReporter({
      stored: { fleetCounts: () => null, write: () => undefined },
      send: async (report) => {
        const queue = queues[watcherOf(id, WATCHERS)];
        queue?.reports.add(report);
        if (!queue) return;
        queue.taken += 1;
        const { number } = queue;
        if (queue.flushAt === Infinity)
          queue.flushAt = nextFlushAt(clock.now, { number, watchers: WATCHERS });
      },
      now: () => clock.now,
      log: () => undefined,
      settings: SETTINGS,
    }),
  }));
  objects.sort((one, other) => one.pollAt - other.pollAt);
  for (let round = 0; round < MINUTE_MS / POLL_MS; round += 1) {
    for (const object of objects) {
      clock.now = object.pollAt + round * POLL_MS;
      for (const queue of queues)
        if (clock.now >= queue.flushAt) {
          queue.flushAt = Infinity;
          await queue.reports.flush((reports) => saveFleetReports(db, reports));
        }
      object.fleet.note(STEP, clock.now);
      await object.fleet.report(object.owner, POLLING, clock.now);
      const life = { bornAt: BORN, mayEnd: false };
      if (isHourlyDue(object.id, object.lastAt, life, clock.now)) {
        object.lastAt = clock.now;
        await listWaitingBlocks(db, object.id, 200);
        await listWonDays(db, object.id);
        await loadRevision(db, object.id);
      }
      if (isLateLookDue(object.id, object.lateSince, life, clock.now)) {
        object.lateSince = null;
        await loadRevision(db, object.id);
      }
    }
  }
  return queues.map(({ taken }) => taken);
}

/** The longest wait of a statement behind those that came before it. */
function longestWaitMs(arrivals: readonly EpochMs[]): number {
  let freeAt = 0;
  let longest = 0;
  for (const at of arrivals) {
    longest = Math.max(longest, freeAt - at);
    freeAt = Math.max(freeAt, at) + STATEMENT_MS;
  }
  return longest;
}

function busiestSecond(arrivals: readonly EpochMs[]): number {
  const bySecond = Map.groupBy(arrivals, (at) => Math.floor(at / 1_000));
  return Math.max(...bySecond.values().map((some) => some.length));
}

beforeEach(() => {
  statements = [];
  clock.now = BORN;
});

describe("ten thousand objects that begin their lives in the same three seconds", () => {
  it.each<[string, Memory, { most: number }]>([
    [
      "a deployment that finds none with its hourly work noted",
      { hourlyAt: () => 0, isLate: false },
      { most: 100 },
    ],
    [
      "a deployment an hour after all did their hourly work",
      { hourlyAt: () => BORN - HOUR_MS, isLate: false },
      { most: 100 },
    ],
    [
      "a region's return, after which each looks at its profile",
      { hourlyAt: () => 0, isLate: true },
      { most: 500 },
    ],
  ])("keep D1 free after %s", async (_what, memory, { most }) => {
    const reports = await liveAMinute(memory);
    expect(Math.max(...reports)).toBeLessThan(800);
    expect(reports.reduce((sum, one) => sum + one, 0)).toBe(OBJECTS);
    expect(busiestSecond(statements)).toBeLessThanOrEqual(most);
    expect(longestWaitMs(statements)).toBeLessThanOrEqual(30);
  });
});

it("lets sixteen watchers send their reports at sixteen moments, none later than twenty seconds", () => {
  const waits = Array.from(
    { length: WATCHERS },
    (_, number) => nextFlushAt(BORN, { number, watchers: WATCHERS }) - BORN,
  );
  expect(new Set(waits).size).toBe(WATCHERS);
  expect(Math.min(...waits)).toBeGreaterThan(0);
  expect(Math.max(...waits)).toBeLessThanOrEqual(20_000);
});

describe("an object's hourly work", () => {
  const [id] = drivers as [DriverId];
  const isDue = (minutes: number, life: { bornAt?: EpochMs; mayEnd?: boolean } = {}) =>
    isHourlyDue(id, BORN, { bornAt: BORN, mayEnd: false, ...life }, BORN + minutes * MINUTE_MS);
  const minutes = Array.from({ length: 90 }, (_, minute) => minute);

  it("comes once in each hour of an object at work, at the same moment of each", () => {
    const done: number[] = [];
    let lastAt = BORN;
    for (let now = BORN; now < BORN + 12 * HOUR_MS; now += POLL_MS)
      if (isHourlyDue(id, lastAt, { bornAt: BORN, mayEnd: false }, now)) {
        lastAt = now;
        done.push((now - BORN) % HOUR_MS);
      }
    expect(done.length).toBeGreaterThanOrEqual(11);
    expect(Math.max(...done.slice(1)) - Math.min(...done.slice(1))).toBeLessThanOrEqual(POLL_MS);
  });

  it("waits at most ten minutes after a life began, and not at all where the object may leave memory", () => {
    const bornAt = BORN + 75 * MINUTE_MS;
    expect(minutes.filter((minute) => isDue(minute, { bornAt })).every((minute) => minute > 75)).toBe(true);
    expect(isDue(85, { bornAt })).toBe(true);
    expect(isDue(75, { bornAt, mayEnd: true })).toBe(true);
    expect(isDue(49, { mayEnd: true })).toBe(false);
  });

  it("looks at the profile half a minute after a lost alarm at the latest", () => {
    const isLookDue = (afterMs: number, mayEnd = false) =>
      isLateLookDue(id, BORN, { bornAt: BORN, mayEnd }, BORN + afterMs);
    expect(isLookDue(0)).toBe(false);
    expect(isLookDue(0, true)).toBe(true);
    expect(isLookDue(30_000)).toBe(true);
    expect(isLateLookDue(id, null, { bornAt: BORN, mayEnd: true }, BORN + MINUTE_MS)).toBe(false);
  });
});
