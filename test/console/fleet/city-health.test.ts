import { beforeEach, describe, expect, it } from "vitest";
import { openDb } from "../../../db/client.ts";
import { listCityDays } from "../../../db/queries/fleet/cities.ts";
import type { FleetState } from "../../../db/shapes/fleet.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { createDeps } from "../../../durable/deps.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { countCityDay, type FoundHealth } from "../../../worker/cities/count-city-days.ts";
import { describeCities, loadPlatformHealth } from "../../../worker/cities/public-health.ts";
import { watchCities } from "../../../worker/cities/watch-cities.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";
import { insertDriver } from "../../support/driver-insert.ts";

const ZONE = "America/New_York";
/** A Tuesday, 12:00 in New York. */
const NOON = Date.parse("2026-11-24T17:00:00Z");
const database = migratedDatabase();
let statements = 0;
let written = 0;
let isDown = false;
const db = openDb(
  bindD1(database, undefined, undefined, (query, run) => {
    if (isDown) throw new Error("D1_ERROR: Network connection lost.");
    statements += 1;
    if (/^insert into "city_days"/i.test(query)) written += 1;
    return run();
  }),
);
const clock = { now: NOON };
/** A deployment that has not answered yet. */
const deploy = () => ({
  ...createDeps({ ...DEMO_SETTINGS, DB: {}, DRIVER: {}, ASSETS: {} }),
  db,
  now: () => clock.now,
  log: () => undefined,
});

beforeEach(() => {
  clock.now = NOON;
  isDown = false;
  database.exec(
    "DELETE FROM users; DELETE FROM driver_states; DELETE FROM spots; DELETE FROM heartbeats; DELETE FROM city_days",
  );
});

let drivers = 0;
/** Drivers in a state since some minutes, whose city the platform names; null where they never linked. */
function put(
  city: string | null,
  state: FleetState,
  count: number,
  {
    minutes = 5,
    region = city,
    timeZone = ZONE,
  }: { minutes?: number; region?: string | null; timeZone?: string } = {},
): void {
  for (let index = 0; index < count; index += 1) {
    drivers += 1;
    insertDriver(database, {
      id: `d-${drivers}`,
      phoneNumber: `+1555${String(drivers).padStart(7, "0")}`,
      switchedOn: true,
      humanTimezone: timeZone,
      humanRegion: region,
      proxyInstalled: true,
    });
    if (city !== null)
      database
        .prepare(`INSERT INTO spots (driver_id, city, status, since, check_at) VALUES (?, ?, 'held', 1, 1)`)
        .run(`d-${drivers}`, city);
    database
      .prepare(`INSERT INTO driver_states (driver_id, state, since, reported_at) VALUES (?, ?, ?, ?)`)
      .run(`d-${drivers}`, state, clock.now - minutes * MINUTE_MS, clock.now);
  }
}
function move(state: FleetState): void {
  database.prepare(`UPDATE driver_states SET state = ?, since = ?`).run(state, clock.now);
}
const watch = () => watchCities({ db, now: () => clock.now });
const now = async () => describeCities(await listCityDays(db, clock.now - 30 * DAY_MS), clock.now).cities;
async function states(): Promise<string[]> {
  return (await now()).map(({ city, state, isOurs, shared }) =>
    [city, state, ...(isOurs ? ["ours"] : []), ...shared].join(" "),
  );
}

describe("the platform's health in a city", () => {
  it.each<[string, [FleetState, number][], string[]]>([
    [
      "works while most get answers",
      [
        ["polling", 9],
        ["unreachable", 1],
      ],
      ["New York working"],
    ],
    [
      "is down where hardly anybody gets one",
      [
        ["polling", 1],
        ["unreachable", 9],
      ],
      ["New York down unreachable"],
    ],
    ["is down where nobody can read them", [["unreadable", 4]], ["New York down unreadable"]],
    [
      "is slow where many wait",
      [
        ["polling", 5],
        ["throttled", 5],
      ],
      ["New York slow throttled"],
    ],
    [
      "is slow before most have it",
      [
        ["polling", 6],
        ["unreachable", 4],
      ],
      ["New York slow"],
    ],
    ["is down where it signed out all", [["signed_out", 5]], ["New York down signed_out"]],
    [
      "is not slow for quotas of their own",
      [
        ["polling", 2],
        ["quota_used_up", 6],
      ],
      ["New York working quota_used_up"],
    ],
    ["is not told by two", [["unreachable", 2]], []],
    [
      "is not told by drivers who sleep",
      [
        ["asleep", 20],
        ["off", 20],
        ["polling", 2],
      ],
      [],
    ],
  ])("%s", async (_case, given, expected) => {
    for (const [state, count] of given) put("New York", state, count);
    await watch();
    expect(await states()).toEqual(expected);
  });

  it("says nothing of drivers who were signed out long ago, nor of a minute", async () => {
    put("New York", "polling", 3);
    put("New York", "signed_out", 20, { minutes: 180 });
    put("New York", "unreachable", 3, { minutes: 0.5 });
    await watch();
    expect(await states()).toEqual(["New York working"]);
  });

  it("is each city's own, and nothing where the city is not known", async () => {
    put("New York", "unreachable", 5);
    put("Boston", "polling", 5);
    put(null, "unreachable", 50);
    put("other", "unreachable", 50);
    await watch();
    expect(await states()).toEqual(["Boston working", "New York down unreachable"]);
  });

  it("has the platform's name of a city, and never the words of a driver's profile", async () => {
    put(null, "unreachable", 5, { region: "Call 555 010 0199" });
    put("New York", "polling", 5, { region: "Ana is a thief" });
    await watch();
    expect(await states()).toEqual(["New York working"]);
    // Stored by the profile's words before, or of a city that nobody linked in.
    database.exec(
      `INSERT INTO city_days SELECT day, 'Ana is a thief', time_zone, state, since, is_ours, shared, counted_at, working_ms, slow_ms, down_ms FROM city_days`,
    );
    expect(await states()).toEqual(["New York working"]);
  });

  it("has the calendar of most of its drivers, whatever zone one of them sets", async () => {
    put("New York", "polling", 4);
    put("New York", "unreachable", 1, { timeZone: "Africa/Abidjan" });
    put("New York", "polling", 9, { timeZone: "Mars/Base" });
    await watch();
    expect((await now()).map(({ timeZone }) => timeZone)).toEqual([ZONE]);
  });

  it("says that the cause is ours where objects did not wake", async () => {
    put("New York", "polling", 5);
    database
      .prepare(`INSERT INTO heartbeats (driver_id, object_name, due_at) SELECT id, 'o', ? FROM users`)
      .run(NOON - HOUR_MS);
    await watch();
    expect(await states()).toEqual(["New York down ours"]);
  });

  it("is unknown once nobody has counted for a quarter of an hour", async () => {
    put("New York", "polling", 5);
    await watch();
    clock.now += 16 * MINUTE_MS;
    expect(await states()).toEqual([]);
  });

  it("is unknown as soon where the database fails meanwhile, and nothing where it never answered", async () => {
    put("New York", "polling", 5);
    await watch();
    const deps = deploy();
    expect((await loadPlatformHealth(deps))?.cities).toMatchObject([{ city: "New York", state: "working" }]);
    isDown = true;
    clock.now += 16 * MINUTE_MS;
    expect(await loadPlatformHealth(deps)).toEqual({ cities: [] });
    expect(await loadPlatformHealth(deploy())).toBeNull();
  });

  it("says no figure of drivers", async () => {
    put("New York", "polling", 4_711);
    await watch();
    expect(JSON.stringify(await now())).not.toContain("4711");
  });
});

describe("a city's days", () => {
  it("count what the platform's own record says, within the minutes that drivers take to notice", async () => {
    put("New York", "polling", 10);
    const outages = [
      { from: NOON + 2 * HOUR_MS, to: NOON + 3.5 * HOUR_MS },
      // Over midnight.
      { from: NOON + 11 * HOUR_MS, to: NOON + 14 * HOUR_MS },
    ];
    for (; clock.now < NOON + DAY_MS; clock.now += MINUTE_MS) {
      if (outages.some(({ from }) => from === clock.now)) move("unreachable");
      if (outages.some(({ to }) => to === clock.now)) move("polling");
      await watch();
    }
    const days = (await now())[0]?.days.slice(-2);
    expect(days?.map(({ date, state }) => [date, state])).toEqual([
      ["2026-11-24", "down"],
      ["2026-11-25", "down"],
    ]);
    const [first, second] = days ?? [];
    expect(Math.abs((first?.downMinutes ?? 0) - 150)).toBeLessThanOrEqual(2);
    expect(Math.abs((second?.downMinutes ?? 0) - 120)).toBeLessThanOrEqual(2);
  });

  it("take three statements a minute, and a row each five minutes while nothing changes", async () => {
    put("New York", "polling", 10);
    await watch();
    [statements, written] = [0, 0];
    for (let minute = 0; minute < 60; minute += 1) {
      clock.now += MINUTE_MS;
      await watch();
    }
    expect([statements <= 60 * 3, written]).toEqual([true, 12]);
  });

  const found = (change: Partial<FoundHealth> = {}): FoundHealth => ({
    city: "New York",
    timeZone: ZONE,
    state: "working",
    isOurs: false,
    shared: [],
    since: null,
    ...change,
  });
  const [start] = countCityDay(null, found(), NOON);

  it("leave out what nobody counted, and a clock that jumped back", () => {
    if (!start) throw new Error("no day");
    const gap = countCityDay(start, found(), NOON + 3 * HOUR_MS);
    expect(gap).toEqual([{ ...start, since: NOON + 3 * HOUR_MS, countedAt: NOON + 3 * HOUR_MS }]);
    const back = countCityDay(start, found(), NOON - HOUR_MS);
    expect(back).toEqual([{ ...start, since: NOON - HOUR_MS, countedAt: NOON - HOUR_MS }]);
  });

  it.each([
    ["an hour more", "2026-11-01T04:00:00Z", 25],
    ["an hour less", "2026-03-08T05:00:00Z", 23],
  ])("have %s where the clock changes", (_case, midnight, hours) => {
    const startsAt = Date.parse(midnight);
    let [last] = countCityDay(null, found(), startsAt);
    const days: number[] = [];
    for (let at = startsAt; at <= startsAt + 26 * HOUR_MS; at += MINUTE_MS) {
      if (!last) throw new Error("no day");
      const rows = countCityDay(last, found(), at);
      if (rows.length > 1) days.push((rows[0]?.workingMs ?? 0) / HOUR_MS);
      last = rows.at(-1) ?? last;
    }
    expect(days).toEqual([hours]);
  });
});
