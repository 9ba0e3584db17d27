import { describe, expect, it } from "vitest";
import { recordOf } from "../../../db/shapes/record-of.ts";
import { CITY_FIELDS, type CityField } from "../../../db/shapes/city-counts.ts";
import { cityHours } from "../../../db/schema/fleet.ts";
import { noteStepSuccess } from "../../../db/queries/fleet/cron-steps.ts";
import { listReportedObjects } from "../../../db/queries/fleet/heartbeats.ts";
import { DAY_MS, driverId, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { isNightAt, openDrill } from "./drill-fleet.ts";

const SECOND_MS = 1_000;

describe("a drill of the watch over the service", () => {
  it("names a platform that answers nobody within three minutes, in the console and in health, and its end", async () => {
    const fleet = await openDrill(12);
    await fleet.live(20 * MINUTE_MS);
    const from = fleet.clock.now + 7 * SECOND_MS;
    fleet.platform.answer = (_driver, now) => (now >= from ? "error" : "offers");
    await fleet.live(3 * MINUTE_MS);
    expect(await fleet.problems()).toEqual([
      { kind: "platform_down", drivers: 12, of: 12, since: expect.any(Number) },
    ]);
    await fleet.live(10 * MINUTE_MS);
    fleet.platform.answer = () => "offers";
    const over = fleet.clock.now;
    await fleet.live(10 * MINUTE_MS);
    expect(fleet.named("platform.down", from).first).toBeLessThanOrEqual(3 * MINUTE_MS);
    expect(fleet.named("platform.down", over).last).toBeLessThanOrEqual(7 * MINUTE_MS);
    expect(await fleet.problems()).toEqual([]);
    expect(fleet.told).toEqual(["platform.down begins", "platform.down ends"]);
  });

  it("names a platform that makes the whole herd wait", async () => {
    const fleet = await openDrill(12);
    await fleet.live(20 * MINUTE_MS);
    const from = fleet.clock.now;
    fleet.platform.answer = () => "limit";
    await fleet.live(6 * MINUTE_MS);
    expect(fleet.named("platform.limits", from).first).toBeLessThanOrEqual(6 * MINUTE_MS);
  });

  it("names objects that stopped", async () => {
    const fleet = await openDrill(4);
    await fleet.live(5 * MINUTE_MS);
    fleet.gone.add(1);
    const from = fleet.clock.now;
    await fleet.live(8 * MINUTE_MS);
    expect(fleet.named("objects.stale", from).first).toBeLessThanOrEqual(6 * MINUTE_MS);
    expect(Object.keys(fleet.seen.at(-1)?.reasons ?? {})).toEqual(["objects.stale"]);
    expect(fleet.told).toEqual(["objects.stale begins"]);
  });

  it("names a step of the cron that fails, within four minutes, and its end", async () => {
    const fleet = await openDrill(1);
    const row = { name: "renewals", startedAt: fleet.clock.now };
    const overdueAt = fleet.clock.now + 3 * MINUTE_MS;
    await noteStepSuccess(fleet.db, { ...row, succeededAt: fleet.clock.now, overdueAt });
    await fleet.live(4 * MINUTE_MS + SECOND_MS);
    expect(fleet.seen.at(-1)?.reasons).toEqual({ "cron.renewals": "missed" });
    expect(fleet.told).toEqual(["cron.renewals begins"]);
    const again = fleet.clock.now + DAY_MS;
    await noteStepSuccess(fleet.db, { ...row, succeededAt: fleet.clock.now, overdueAt: again });
    await fleet.live(5 * MINUTE_MS);
    expect(fleet.told).toEqual(["cron.renewals begins", "cron.renewals ends"]);
  });

  it("names a city in which the platform answers with empty lists, within half an hour, and its end", async () => {
    const fleet = await openDrill(12, { weeks: 4 });
    await fleet.live(40 * MINUTE_MS);
    expect(fleet.told).toEqual([]);
    const from = fleet.clock.now;
    fleet.platform.hasOffers = () => false;
    await fleet.live(32 * MINUTE_MS);
    expect(fleet.named("silence.Austin", from).first).toBeLessThanOrEqual(30 * MINUTE_MS);
    expect(await fleet.silent()).toMatchObject([
      { city: "Austin", silence: { what: "offers", cause: "nothing_published" } },
    ]);
    fleet.platform.hasOffers = () => true;
    await fleet.live(25 * MINUTE_MS);
    expect(await fleet.silent()).toEqual([]);
    expect(fleet.told).toEqual(["silence.Austin begins", "silence.Austin ends"]);
  });

  it.each([
    ["slow", { takesMs: 2_500 }],
    ["full", { sizeBytes: 6_100_000_000 }],
  ])("names a database that is %s once when it begins and once when it ends", async (reason, trouble) => {
    const fleet = await openDrill(2);
    await fleet.live(5 * MINUTE_MS);
    const from = fleet.clock.now;
    Object.assign(fleet.database, trouble);
    await fleet.live(12 * MINUTE_MS);
    expect(fleet.seen.at(-1)?.reasons).toEqual({ "database.strained": reason });
    expect(fleet.named("database.strained", from).first).toBeLessThanOrEqual(3 * MINUTE_MS);
    expect(fleet.told).toEqual(["database.strained begins"]);
    Object.assign(fleet.database, { takesMs: 0, sizeBytes: 0 });
    await fleet.live(12 * MINUTE_MS);
    expect(fleet.told).toEqual(["database.strained begins", "database.strained ends"]);
  });

  it("doesn't name a database that answers late once, or has room left", async () => {
    const fleet = await openDrill(2);
    fleet.database.sizeBytes = 5_900_000_000;
    fleet.database.takesMs = 1_900;
    await fleet.live(20 * MINUTE_MS);
    expect(fleet.told).toEqual([]);
  });

  it("names a gateway that refuses texts once when it begins, and once when it takes one again", async () => {
    const fleet = await openDrill(2);
    await fleet.live(5 * MINUTE_MS);
    const from = fleet.clock.now;
    fleet.gateway.answer = 401;
    await fleet.live(12 * MINUTE_MS);
    expect(fleet.seen.at(-1)?.reasons).toEqual({ "texts.gateway": "credentials" });
    expect(fleet.named("texts.gateway", from).first).toBeLessThanOrEqual(3 * MINUTE_MS);
    expect(fleet.told).toEqual(["texts.gateway begins"]);
    fleet.gateway.answer = 201;
    await fleet.live(12 * MINUTE_MS);
    expect(fleet.told).toEqual(["texts.gateway begins", "texts.gateway ends"]);
  });

  it("writes a metric point a minute for each city, which add up to what was counted and name nobody", async () => {
    const fleet = await openDrill(3);
    await fleet.live(30 * MINUTE_MS + SECOND_MS);
    const [counted] = await fleet.db.select().from(cityHours);
    const sum = (field: CityField) =>
      fleet.points.reduce((total, { point }) => total + (point.doubles[CITY_FIELDS.indexOf(field)] ?? 0), 0);
    expect(recordOf(CITY_FIELDS, sum)).toEqual(recordOf(CITY_FIELDS, (field) => counted?.[field] ?? 0));
    expect(sum("offers")).toBeGreaterThan(40);
    expect(new Set(fleet.points.map(({ at }) => at)).size).toBe(fleet.points.length);
    for (const { point } of fleet.points) {
      expect([point.indexes, point.blobs]).toEqual([["Austin"], ["Austin"]]);
      expect(point.doubles).toHaveLength(CITY_FIELDS.length);
    }
  });

  it("names an object without a driver to nobody, and forgets it", async () => {
    const fleet = await openDrill(2);
    const orphan = driverId.parse("nobody");
    const watcher = fleet.watchers.of(orphan);
    await watcher?.beat({ driverId: orphan, objectName: "o", dueAt: fleet.clock.now });
    await fleet.live(10 * MINUTE_MS);
    expect(fleet.told).toEqual([]);
    expect(await watcher?.list()).not.toContain(orphan);
    expect(await listReportedObjects(fleet.db, fleet.clock.now, 10)).toEqual([]);
  });

  it("names nothing in a quiet week with its nights, in which offers come by chance and calls fail now and then", async () => {
    const fleet = await openDrill(2, { pollMs: 110 * SECOND_MS, weeks: 4 });
    const chance = (driver: number, now: EpochMs) => (Math.floor(now / 1_000) * 7_919 + driver * 977) % 1_009;
    fleet.platform.answer = (driver, now) => (chance(driver, now) < 10 ? "error" : "offers");
    fleet.platform.hasOffers = (driver, now) => !isNightAt(now) && chance(driver + 7, now) % 10 < 6;
    await fleet.live(7 * DAY_MS, 15 * MINUTE_MS);
    expect(fleet.told).toEqual([]);
    expect(fleet.seen.filter(({ reasons }) => Object.keys(reasons).length > 0)).toEqual([]);
  });

  it("names nothing in six quiet hours, in which calls fail now and then and one driver is limited", async () => {
    const fleet = await openDrill(3);
    const failing = (driver: number, now: EpochMs) =>
      (Math.floor(now / SECOND_MS) + driver * 977) % 1_801 < 15 ? "error" : "offers";
    fleet.platform.answer = (driver, now) =>
      driver === 0 && Math.floor(now / (10 * MINUTE_MS)) % 20 === 0 ? "limit" : failing(driver, now);
    await fleet.live(DAY_MS / 4);
    expect(fleet.told).toEqual([]);
    expect(fleet.seen.filter(({ reasons }) => Object.keys(reasons).length > 0)).toEqual([]);
  });
});
