import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import type { Filters } from "../../../db/shapes/work/filters.ts";
import { DEFAULT_REMINDER_PREFERENCES } from "../../../db/shapes/notifications.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { ChecksResponse } from "../../../worker/contract/work/setup.ts";
import type { DriverExport } from "../../../worker/contract/account/account.ts";
import {
  advanceClock,
  apiTarget,
  createActiveDriver,
  createDriver,
  driverObject,
  resetPlatform,
  resetWorld,
  runAlarm,
  setSystemSwitch,
  type TestDriver,
} from "../harness.ts";
import {
  capture,
  eventually,
  listen,
  openedBy,
  QUOTA_PACE_MS,
  textsWith,
  untilSent,
  wakeObject,
} from "../push-harness.ts";

beforeEach(() => resetPlatform());

const REMINDERS = "/flex/v1/user/reminders";

/** The hours of every day that begin so long from now, for half an hour, on the clock of the warehouses. */
function hoursIn(minutes: number): Pick<Filters, "schedule"> {
  const minuteOf = (ms: number) => {
    const at = new Date(Date.now() + ms).toLocaleTimeString("en-GB", { timeZone: "America/New_York" });
    const [hour = 0, minute = 0] = at.split(":").map(Number);
    return hour * 60 + minute;
  };
  const [start, end] = [minuteOf(minutes * MINUTE_MS), minuteOf((minutes + 30) * MINUTE_MS)];
  const day = { active: true, start, end };
  return { schedule: [day, day, day, day, day, day, day] };
}

/** Lets the object wake after so long, and waits until nothing is left to be sent. */
async function wakeAfter(driver: TestDriver, minutes: number): Promise<void> {
  advanceClock(minutes * MINUTE_MS);
  await wakeObject(driver);
}

/** Lets the platform end the driver's link, and the driver hear of that. */
async function endLink(driver: TestDriver): Promise<void> {
  await resetWorld();
  advanceClock(QUOTA_PACE_MS);
  await eventually(1, async () => {
    await runAlarm(driver);
    const { phase } = await driverObject(driver).snapshot();
    return phase.kind === "needs_link" ? [true] : [];
  });
}

/** Takes service away, so that what is left ends so long from now. */
async function endServiceIn(driver: TestDriver, minutes: number): Promise<void> {
  const { driverId } = driver;
  const takenMs = 30 * DAY_MS - minutes * MINUTE_MS;
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES (?, ?, ?, ?)`,
    ).bind(`test:less:${driverId}`, driverId, -takenMs, Date.now()),
    env.DB.prepare(`UPDATE users SET revision = revision + 1 WHERE id = ?`).bind(driverId),
  ]);
  await runInDurableObject(driverObject(driver), (object) => object.wake());
}

const textsTo = (driver: TestDriver) => textsWith("your hours start", driver);

const checksOf = async (driver: TestDriver) => (await driverObject(driver).keptChecks()).shiftCheck;

describe("an hour before a driver's hours begin", () => {
  it("one text says what needs them, once whatever restarts", async () => {
    const driver = await createActiveDriver(hoursIn(150));
    await endLink(driver);
    await wakeAfter(driver, 75);
    expect([await textsTo(driver), await checksOf(driver)]).toEqual([[], null]);
    await wakeAfter(driver, 17);
    const texts = await eventually(1, () => textsTo(driver));
    expect(texts).toEqual([
      expect.stringMatching(/your hours start at .* Link your platform account again.* http.*\/flex\/login$/),
    ]);
    await evictDurableObject(driverObject(driver));
    await wakeAfter(driver, 1);
    await wakeAfter(driver, 20);
    expect(await textsTo(driver)).toHaveLength(1);
    expect(await checksOf(driver)).toEqual({ startsAt: expect.any(Number), told: ["link_ended"] });
  });

  it("a push says it where one can arrive, in place of a text, and leads to the tap that mends it", async () => {
    const driver = await createActiveDriver(hoursIn(150));
    const phone = await listen(driver);
    await endLink(driver);
    await wakeAfter(driver, 92);
    const pushed = async () => (await openedBy(phone)).filter(({ event }) => event === "before_shift");
    expect(await eventually(1, pushed)).toEqual([
      {
        event: "before_shift",
        title: expect.stringMatching(/^Your hours start at /),
        body: "Link your platform account again, or we can't capture blocks.",
        url: "/flex/login",
        tag: "shift",
      },
    ]);
    expect(await textsTo(driver)).toEqual([]);
  });

  it("a text says it to a driver whose browser listens for former keys of the deployment", async () => {
    const driver = await createActiveDriver(hoursIn(150));
    await listen(driver);
    await endLink(driver);
    await untilSent(driver);
    await runInDurableObject(driverObject(driver), (_object, { storage }) => {
      storage.sql.exec(`UPDATE push_subscriptions SET value = json_set(value, '$.vapidKey', 'former')`);
    });
    await wakeAfter(driver, 92);
    expect(await eventually(1, () => textsTo(driver))).toEqual([
      expect.stringMatching(/2 things need you first: http.*\/flex\/checks$/),
    ]);
  });

  it("one text says that the last browser which listened was lost, once", async () => {
    const driver = await createActiveDriver();
    const phone = await listen(driver);
    await apiTarget.fetch(`${apiTarget.origin}/sandbox/push/answers`, {
      method: "POST",
      body: JSON.stringify({ endpoint: phone.subscription.endpoint, status: 410 }),
    });
    await capture(driver);
    await expect.poll(async () => (await driverObject(driver).pushSessions()).length).toBe(0);
    const { checks } = await driver.client.fetchJson<ChecksResponse>("GET", "/flex/v1/checks");
    expect(checks.map(({ code }) => code)).toContain("push_lost");
    const { filters } = await driver.client.filters();
    await driver.client.saveFilters({ ...filters, ...hoursIn(150) });
    await wakeAfter(driver, 92);
    expect(await eventually(1, () => textsTo(driver))).toEqual([
      expect.stringMatching(/your hours start at .*http/),
    ]);
    await evictDurableObject(driverObject(driver));
    await wakeAfter(driver, 20);
    expect(await textsTo(driver)).toHaveLength(1);
    expect(await checksOf(driver)).toEqual({ startsAt: expect.any(Number), told: ["push_lost"] });
  });

  it.each<[string, (driver: TestDriver) => Promise<unknown>]>([
    ["all is well", async () => {}],
    [
      "the driver turned it off",
      async (driver) => {
        const before_shift = { text: false, push: false };
        expect((await driver.client.call("PUT", REMINDERS, { body: { before_shift } })).status).toBe(200);
        await endLink(driver);
      },
    ],
    ["the driver is switched off", (driver) => endLink(driver).then(() => setSystemSwitch(driver, false))],
  ])("nothing is sent where %s", async (_case, prepare) => {
    const driver = await createActiveDriver(hoursIn(150));
    await prepare(driver);
    await wakeAfter(driver, 92);
    await wakeAfter(driver, 30);
    expect(await textsTo(driver)).toEqual([]);
  });

  it("nothing is sent for hours that the driver chose less than an hour before them, and the export has the check", async () => {
    const driver = await createActiveDriver(hoursIn(600));
    await endLink(driver);
    const { filters } = await driver.client.filters();
    await driver.client.saveFilters({ ...filters, ...hoursIn(40) });
    await wakeAfter(driver, 1);
    expect(await textsTo(driver)).toEqual([]);
    const { checks } = await driver.client.fetchJson<DriverExport>("GET", "/flex/v1/user/export");
    expect(checks).toEqual({
      shiftCheck: { startsAt: expect.any(Number), told: [] },
      pushLostAt: null,
      weekTold: null,
    });
  });

  it("one text says that service ends within the hours", async () => {
    const driver = await createActiveDriver(hoursIn(150));
    await endServiceIn(driver, 165);
    await wakeAfter(driver, 92);
    expect(await eventually(1, () => textsTo(driver))).toEqual([
      expect.stringMatching(/your hours start at .*, and your service ends before they do\. Add days: http/),
    ]);
    await wakeAfter(driver, 40);
    expect(await textsTo(driver)).toHaveLength(1);
  });
});

it("the list is the caller's own", async () => {
  const [driver, other] = [await createActiveDriver(), await createDriver()];
  await runAlarm(driver);
  const codesOf = async ({ client }: TestDriver) =>
    (await client.fetchJson<ChecksResponse>("GET", "/flex/v1/checks")).checks.map(({ code }) => code);
  expect(await codesOf(driver)).toEqual([
    "link_good",
    "service_good",
    "hours_always",
    "platform_answers",
    "budget_left",
    "texts_arrive",
    "push_none",
  ]);
  expect(await codesOf(other)).toEqual([
    "link_missing",
    "service_good",
    "switched_off",
    "platform_not_asked",
    "budget_unknown",
    "texts_arrive",
    "push_none",
  ]);
});

it("the account's deletion takes what is stored of the checks", async () => {
  const driver = await createActiveDriver(hoursIn(150));
  await endLink(driver);
  await wakeAfter(driver, 92);
  await eventually(1, () => textsTo(driver));
  await driverObject(driver).deleteAccount();
  expect(await driverObject(driver).keptChecks()).toEqual({
    shiftCheck: null,
    pushLostAt: null,
    weekTold: null,
  });
  advanceClock(DAY_MS + HOUR_MS);
  expect(await runAlarm(driver)).toBe(false);
});

it("the reminder is saved for one driver, beside those that a page doesn't know", async () => {
  const driver = await createActiveDriver();
  const before_shift = { text: false, push: true };
  const chosen = { ...DEFAULT_REMINDER_PREFERENCES, before_shift };
  expect((await driver.client.call("PUT", REMINDERS, { body: { before_shift } })).status).toBe(200);
  expect(await driver.client.fetchJson("GET", REMINDERS)).toEqual(chosen);
});
