import { expect, it } from "vitest";
import { openDb } from "../../../db/client.ts";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import { compareLedgers } from "../../../worker/payments/books/reconcile-books.ts";
import { findSilentCities } from "../../../worker/console/cities.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { writeFleetPast } from "./fleet-past.ts";
import { cityHours, troublesBefore } from "./hour-counts.ts";
import { MADE_UP_DRIVERS } from "./made-up-drivers.ts";

const NOW = Date.parse("2026-11-22T05:00:00Z");

it("has sixty drivers in four cities, with a name, a number and an id of their own each", () => {
  expect(MADE_UP_DRIVERS).toHaveLength(60);
  expect(new Set(MADE_UP_DRIVERS.map(({ city }) => city)).size).toBe(4);
  for (const own of ["id", "name", "phoneNumber", "email"] as const)
    expect([own, new Set(MADE_UP_DRIVERS.map((driver) => driver[own])).size]).toEqual([own, 60]);
});

it("counts three weeks of hours, in which one outage stops all cities and one silence a single one", () => {
  const hours = cityHours(NOW);
  const [outage, silence] = troublesBefore(NOW);
  const within = (trouble: typeof outage) =>
    hours.filter(({ hour }) => hour * HOUR_MS >= trouble!.from && hour * HOUR_MS < trouble!.to);
  expect(
    within(outage).every(({ offers, tally }) => offers === 0 && tally.answered === 0 && tally.failed > 0),
  ).toBe(true);
  const silent = within(silence).filter(({ offers }) => offers === 0);
  expect(new Set(silent.map(({ city }) => city))).toEqual(new Set([silence!.city]));
  expect(silent.every(({ tally }) => tally.captures === 0 && tally.answered > 0)).toBe(true);
  const first = Math.min(...hours.map(({ hour }) => hour * HOUR_MS));
  expect(first).toBeLessThanOrEqual(NOW - 21 * DAY_MS);
});

it.each([0, 5, 17, 19, 20, 23])("has had its silence within the last day at %i o'clock", (hour) => {
  const now = Date.parse("2026-11-22T00:30:00Z") + hour * HOUR_MS;
  const [, silence] = troublesBefore(now);
  expect(silence!.to).toBeLessThanOrEqual(now - HOUR_MS);
  expect(silence!.from).toBeGreaterThan(now - DAY_MS);
});

it("is counted by city, where the silence is a gap and nothing is silent now", async () => {
  const database = migratedDatabase();
  await writeFleetPast(database, NOW);
  const [, silence] = troublesBefore(NOW);
  const counted = database
    .prepare(
      "SELECT city, sum(offers) AS offers, sum(answered) AS answered FROM city_hours WHERE hour >= ? AND hour < ? GROUP BY city",
    )
    .all(silence!.from / HOUR_MS, silence!.to / HOUR_MS)
    .map((row) => ({
      city: row["city"],
      isSilent: row["offers"] === 0,
      isAnswered: Number(row["answered"]) > 0,
    }));
  expect(counted).toHaveLength(4);
  expect(counted.filter(({ isSilent }) => isSilent)).toEqual([
    { city: silence!.city, isSilent: true, isAnswered: true },
  ]);
  const db = openDb(bindD1(database) as unknown as Parameters<typeof openDb>[0]);
  expect((await findSilentCities(db, NOW)).silent).toEqual([]);
  expect((await findSilentCities(db, silence!.to - HOUR_MS / 2)).silent).toMatchObject([
    { city: silence!.city, silence: { what: "offers", cause: "nothing_published" } },
  ]);
});

it("is written once, pays through the product's settling, tells nobody, and its books balance", async () => {
  const database = migratedDatabase();
  const rows = await writeFleetPast(database, NOW);
  expect(rows).toBeGreaterThan(3_000);
  expect(await writeFleetPast(database, NOW)).toBeNull();
  const all = (query: string) =>
    database
      .prepare(query)
      .all()
      .map((row) => ({ ...row }));
  expect(all("SELECT unit, sum(amount) AS amount FROM journal GROUP BY unit ORDER BY unit")).toEqual([
    { unit: "USD", amount: 0 },
    { unit: "ms", amount: 0 },
    { unit: "points", amount: 0 },
  ]);
  const db = openDb(bindD1(database) as unknown as Parameters<typeof openDb>[0]);
  expect(await compareLedgers(db)).toEqual([]);
  expect(
    all(
      "SELECT day, sum(amount) AS amount FROM journal WHERE account = 'revenue' GROUP BY day HAVING sum(amount) > 0",
    ),
  ).toEqual([]);
  const statuses = all("SELECT DISTINCT status FROM payments ORDER BY status").map(({ status }) => status);
  expect(statuses).toEqual(["abandoned", "dispute_lost", "open", "partly_refunded", "refunded", "settled"]);
  expect(all("SELECT count(*) AS open FROM payment_disputes WHERE status = 'needs_response'")).toEqual([
    { open: 1 },
  ]);
  expect(
    all("SELECT (SELECT count(*) FROM service_news) + (SELECT count(*) FROM driver_news) AS untold"),
  ).toEqual([{ untold: 0 }]);
  expect(all("SELECT count(*) AS watched FROM heartbeats")).toEqual([{ watched: 0 }]);
});
