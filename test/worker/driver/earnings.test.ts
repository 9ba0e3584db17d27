import { env } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { EarningsResponse } from "../../../db/shapes/work/earnings.ts";
import { summarizeEarnings, weekRanges } from "../../../durable/driver/services/earnings-service.ts";
import type { EarningItem } from "../../../durable/driver/storage/stored-shapes.ts";
import { linkPlatformAccount, platformWorld, postJson } from "../../support/sandbox-client.ts";
import {
  injectFault,
  createLinkedDriver,
  driverObject,
  apiTarget,
  resetPlatform,
  createDriver,
  type TestDriver,
} from "../harness.ts";

const HOUR_MS = 3_600_000;
const ZONE = "America/New_York";
const at = (text: string) => Date.parse(text);

/** Days with earnings, as `date: cents+tips`. */
function daysOf(earnings: NonNullable<EarningsResponse["earnings"]>): Record<string, string> {
  const days = [...earnings.lastWeek.days, ...earnings.thisWeek.days].filter(({ blocks }) => blocks > 0);
  return Object.fromEntries(days.map(({ date, cents, tipsCents }) => [date, `${cents}+${tipsCents}`]));
}

describe("the two weeks", () => {
  it.each([
    // now, zone, Monday of last week, hours of last week, Monday of this week
    ["2026-11-21T12:00:00Z", ZONE, "2026-11-09", 168, "2026-11-16"],
    // Monday 00:30 in New York is still Sunday in Los Angeles.
    ["2026-11-23T05:30:00Z", ZONE, "2026-11-16", 168, "2026-11-23"],
    ["2026-11-23T05:30:00Z", "America/Los_Angeles", "2026-11-09", 168, "2026-11-16"],
    // Clocks go back on Sunday, November 1, and forward on Sunday, March 8.
    ["2026-11-03T12:00:00Z", ZONE, "2026-10-26", 169, "2026-11-02"],
    ["2026-03-10T12:00:00Z", ZONE, "2026-03-02", 167, "2026-03-09"],
    ["2027-01-01T12:00:00Z", ZONE, "2026-12-21", 168, "2026-12-28"],
  ])("at %s in %s begin on %s", (now, zone, lastMonday, hours, thisMonday) => {
    const { lastWeek, thisWeek } = weekRanges(at(now), zone);
    expect([lastWeek.monday, (lastWeek.to - lastWeek.from) / HOUR_MS, thisWeek.monday]).toEqual([
      lastMonday,
      hours,
      thisMonday,
    ]);
    expect(lastWeek.to).toBe(thisWeek.from);
  });
});

describe("earnings are grouped by day", () => {
  const earned = (startsAt: string | null, change: Partial<EarningItem> = {}): EarningItem => ({
    blockId: "b",
    week: "2026-11-16",
    startsAt: startsAt === null ? null : at(startsAt),
    cents: 1000,
    tipsCents: 0,
    ...change,
  });
  const fold = (items: EarningItem[], now = "2026-11-21T12:00:00Z", timeZone = ZONE) =>
    summarizeEarnings({ currency: "USD", asOf: at(now), items }, { now: at(now), timeZone, isStale: false });

  it("in the driver's time zone, with tips separate", () => {
    const items = [
      earned("2026-11-18T04:59:00Z", { tipsCents: 300 }),
      earned("2026-11-18T05:00:00Z"),
      earned("2026-11-18T20:00:00Z", { cents: 2000, tipsCents: 50 }),
    ];
    expect(daysOf(fold(items))).toEqual({ "2026-11-17": "1000+300", "2026-11-18": "3000+50" });
    expect(daysOf(fold(items, undefined, "Asia/Tokyo"))).toEqual({
      "2026-11-18": "2000+300",
      "2026-11-19": "2000+50",
    });
  });

  it("across a clock change, with both occurrences of the repeated hour on Sunday", () => {
    const items = [earned("2026-11-01T05:30:00Z"), earned("2026-11-01T06:30:00Z")];
    expect(daysOf(fold(items, "2026-11-03T12:00:00Z"))).toEqual({ "2026-11-01": "2000+0" });
  });

  it("at the boundary of two weeks", () => {
    const items = [earned("2026-11-16T04:59:59Z"), earned("2026-11-16T05:00:00Z")];
    const { lastWeek, thisWeek } = fold(items);
    expect([lastWeek.cents, lastWeek.days[6]?.cents]).toEqual([1000, 1000]);
    expect([thisWeek.cents, thisWeek.days[0]?.cents]).toEqual([1000, 1000]);
  });

  it("with an unknown block counted in its week but on no day", () => {
    const { thisWeek, lastWeek } = fold([earned(null, { tipsCents: 200 }), earned("2026-11-17T15:00:00Z")]);
    expect([thisWeek.cents, thisWeek.tipsCents, thisWeek.blocks]).toEqual([2000, 200, 2]);
    expect(thisWeek.days.filter(({ blocks }) => blocks > 0)).toHaveLength(1);
    expect(lastWeek.blocks).toBe(0);
  });

  it("again in the next week, where this week becomes last week and older figures are dropped", () => {
    const items = [
      earned("2026-11-17T15:00:00Z"),
      earned(null),
      earned("2026-11-10T15:00:00Z", { week: "2026-11-09" }),
    ];
    const { lastWeek, thisWeek, today } = fold(items, "2026-11-24T12:00:00Z");
    expect([today, lastWeek.cents, thisWeek.cents]).toEqual(["2026-11-24", 2000, 0]);
  });

  it("with seven days in each week, future ones empty", () => {
    const { thisWeek, lastWeek } = fold([]);
    expect([...lastWeek.days, ...thisWeek.days].map(({ date }) => date.slice(8))).toEqual(
      Array.from({ length: 14 }, (_, days) => String(9 + days).padStart(2, "0")),
    );
  });
});

describe("GET /flex/v1/user/earnings", () => {
  beforeEach(() => resetPlatform());

  const read = async (driver: TestDriver) =>
    (await driver.client.fetchJson<EarningsResponse>("GET", "/flex/v1/user/earnings")).earnings;

  /** A block on the platform that ended an hour ago. */
  async function worked(driver: TestDriver, warehouse: number, payCents: number): Promise<void> {
    const { drivers } = (await platformWorld(apiTarget)) as unknown as {
      drivers: { driverId: string; email: string }[];
    };
    await postJson(apiTarget, "/sandbox/platform/blocks", {
      driverId: drivers.find((known) => known.email === driver.email)?.driverId,
      warehouseId: driver.warehouseIds[warehouse],
      startsAt: new Date(Date.now() - 3 * HOUR_MS).toISOString(),
      minutes: 120,
      payCents,
    });
  }

  const total = (earnings: EarningsResponse["earnings"]) =>
    earnings && earnings.thisWeek.cents + earnings.lastWeek.cents;

  it("returns the earnings of finished blocks on the day of their start", async () => {
    const driver = await createLinkedDriver();
    await worked(driver, 0, 9450);
    await worked(driver, 1, 5000);
    const earnings = await read(driver);

    const start = new Intl.DateTimeFormat("en-CA", { timeZone: ZONE }).format(Date.now() - 3 * HOUR_MS);
    expect(earnings).toMatchObject({ currency: "USD", timeZone: ZONE, isStale: false });
    expect(earnings && daysOf(earnings)).toEqual({ [start]: "14450+0" });
  });

  it("caches the platform's figures for a few minutes", async () => {
    const driver = await createLinkedDriver();
    await worked(driver, 0, 4000);
    expect(total(await read(driver))).toBe(4000);
    await worked(driver, 1, 6000);
    expect(total(await read(driver))).toBe(4000);
    vi.setSystemTime(Date.now() + 6 * 60_000);
    expect(total(await read(driver))).toBe(10_000);
    vi.useRealTimers();
  });

  it("returns stale figures, marked as such, while the platform fails, and respects its Retry-After", async () => {
    const driver = await createLinkedDriver();
    await worked(driver, 0, 4000);
    const before = await read(driver);
    vi.setSystemTime(Date.now() + 6 * 60_000);
    await injectFault({ operation: "readEarnings", fault: "429", times: 1, retryAfter: 600 });
    const stale = await read(driver);
    await worked(driver, 1, 6000);
    const waiting = await read(driver);
    vi.setSystemTime(Date.now() + 11 * 60_000);
    const again = await read(driver);
    vi.useRealTimers();

    expect(stale).toEqual({ ...before, isStale: true });
    expect(waiting).toEqual(stale);
    expect([again?.isStale, total(again)]).toEqual([false, 10_000]);
  });

  it("returns null if nothing was ever fetched or no account is linked", async () => {
    const driver = await createLinkedDriver();
    await injectFault({ operation: "readEarnings", fault: "500", times: 2 });
    expect(await read(driver)).toBeNull();
    expect(await read(await createDriver())).toBeNull();
  });

  it("returns the figures of before, marked stale, once the platform has signed the driver out", async () => {
    const driver = await createLinkedDriver();
    await worked(driver, 0, 4000);
    const before = await read(driver);
    const { drivers } = await platformWorld(apiTarget);
    const onPlatform = drivers.find(({ email }) => email === driver.email);
    await postJson(apiTarget, `/sandbox/platform/drivers/${onPlatform?.driverId}/sign-out`, {});
    vi.setSystemTime(Date.now() + 6 * 60_000);
    const signedOut = await read(driver);
    // As the object's outbox leaves the record a moment later.
    await env.DB.prepare("UPDATE users SET proxy_installed = 0 WHERE id = ?").bind(driver.driverId).run();
    const later = await read(driver);
    vi.useRealTimers();
    expect([signedOut, later]).toEqual([
      { ...before, isStale: true },
      { ...before, isStale: true },
    ]);
  });

  it("drops the figures on unlinking and when another account is linked", async () => {
    const driver = await createLinkedDriver();
    await worked(driver, 0, 4000);
    await read(driver);
    await driver.client.call("DELETE", "/flex/v1/setup");
    expect(await driverObject(driver).earnings()).toBeNull();
    await linkPlatformAccount({ ...apiTarget, client: driver.client }, "another@example.com");
    expect(total(await read(driver))).toBe(0);
  });

  it("returns only the caller's own figures and requires a token", async () => {
    const [mine, other] = [await createLinkedDriver(), await createLinkedDriver()];
    await worked(mine, 0, 4000);
    expect([total(await read(mine)), total(await read(other))]).toEqual([4000, 0]);
    const answer = await mine.client.call("GET", "/flex/v1/user/earnings", {
      headers: { authorization: "Bearer nothing" },
    });
    expect(answer.status).toBe(401);
  });
});
