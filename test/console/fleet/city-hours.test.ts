import { expect, it } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { showCities } from "../../../worker/console/cities.ts";
import { writeMetrics, type MetricPoint } from "../../../worker/cron/watchdog.ts";
import type { ConsoleContext } from "../../../worker/console/acts.ts";
import { NOW, openCheckout } from "../../payments/checkout-harness.ts";

const WEEK_HOURS = 7 * 24;

it("shows a city's hour beside the same hour of the weeks in which somebody looked", async () => {
  const at = openCheckout();
  const hour = Math.floor(NOW / HOUR_MS);
  for (const [week, lookedSeconds, offers] of [
    [0, 3600, 1],
    [1, 3600, 8],
    [2, 0, 0],
  ] as const)
    at.run(
      `INSERT INTO city_hours (hour, city, looked_seconds, offers) VALUES (?, 'Austin', ?, ?)`,
      hour - week * WEEK_HOURS,
      lookedSeconds,
      offers,
    );
  const context: ConsoleContext = { ...at.checkout, operator: { name: "one@example.com", role: "support" } };
  const { cities } = await showCities(context, "day");
  expect(cities).toMatchObject([{ city: "Austin", lastOfferAt: null, lastCaptureAt: null }]);
  expect(cities[0]?.hours.at(-1)).toMatchObject({ offers: 1, usual: { offers: 8, looking: 1 } });
  expect(cities[0]?.hours.at(-2)).toMatchObject({ offers: 0, usual: null });
});

it("lists cities that are silent first, then those with the most captures", async () => {
  const at = openCheckout();
  const hour = Math.floor(NOW / HOUR_MS);
  const add = (city: string, counts: { captures: number; soft_blocks: number }) =>
    at.run(
      `INSERT INTO city_hours (hour, city, looked_seconds, captures, soft_blocks, call_at) VALUES (?, ?, 3600, ?, ?, ?)`,
      hour,
      city,
      counts.captures,
      counts.soft_blocks,
      NOW,
    );
  for (const [city, captures] of Object.entries({ Austin: 1, Boise: 3, Chicago: 2 }))
    add(city, { captures, soft_blocks: 0 });
  for (const [city, captures] of Object.entries({ Dallas: 0, Erie: 1 }))
    add(city, { captures, soft_blocks: 9 });
  const context: ConsoleContext = { ...at.checkout, operator: { name: "one@example.com", role: "support" } };
  const { cities } = await showCities(context, "day");
  expect(cities.map(({ city }) => city)).toEqual(["Erie", "Dallas", "Boise", "Chicago", "Austin"]);
  at.run(`UPDATE city_hours SET offer_at = ?, capture_at = ? WHERE city = 'Erie'`, NOW - 2, NOW - 1);
  expect((await showCities(context, "day")).cities[0]).toMatchObject({
    lastOfferAt: NOW - 2,
    lastCaptureAt: NOW - 1,
  });
});

it("writes a metric point for each city, also for the longest name that a driver can give to a region", async () => {
  const at = openCheckout();
  const hour = Math.floor(NOW / HOUR_MS);
  const cities = ["Austin", "é".repeat(100), "€".repeat(100)];
  for (const city of cities)
    at.run(`INSERT INTO city_hours (hour, city, offers) VALUES (?, ?, 3)`, hour, city);
  const points: MetricPoint[] = [];
  const dataset = {
    writeDataPoint: (point: MetricPoint) => {
      // https://developers.cloudflare.com/analytics/analytics-engine/limits/
      if (point.indexes.some((index) => new TextEncoder().encode(index).length > 96))
        throw new TypeError("an index is too long");
      points.push(point);
    },
  };
  await writeMetrics(at.checkout.deps, dataset);
  expect(points.map(({ blobs }) => blobs[0])).toEqual(cities);
  expect(points.map(({ indexes }) => indexes[0])).toEqual(["Austin", "é".repeat(48), "€".repeat(32)]);
});

it("writes what more cities counted than a minute has points for in the next minute, and nothing where nothing was counted", async () => {
  const at = openCheckout();
  const hour = Math.floor(NOW / HOUR_MS);
  const cities = Array.from({ length: 203 }, (_, index) => `City ${String(index).padStart(3, "0")}`);
  for (const city of cities)
    at.run(`INSERT INTO city_hours (hour, city, offers) VALUES (?, ?, 3)`, hour, city);
  const minute = async () => {
    const told: (string | undefined)[] = [];
    await writeMetrics(at.checkout.deps, { writeDataPoint: ({ blobs }) => void told.push(blobs[0]) });
    return told;
  };
  expect(await minute()).toEqual(cities.slice(0, 200));
  // Those that wait have more to say by now than those that reported again.
  at.run(`UPDATE city_hours SET offers = offers + 1 WHERE city <> 'City 100'`);
  const waiting = ["City 200", "City 201", "City 202"];
  expect(await minute()).toEqual([...waiting, ...cities.slice(0, 198).filter((city) => city !== "City 100")]);
  expect(await minute()).toEqual(["City 198", "City 199"]);
  expect(await minute()).toEqual([]);
});
