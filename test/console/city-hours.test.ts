import { expect, it } from "vitest";
import { HOUR_MS } from "../../db/shapes/units.ts";
import { showCities } from "../../worker/console/cities.ts";
import type { ConsoleContext } from "../../worker/console/acts.ts";
import { NOW, openCheckout } from "../payments/checkout-harness.ts";

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
  expect(cities.map(({ city }) => city)).toEqual(["Austin"]);
  expect(cities[0]?.hours.at(-1)).toMatchObject({ offers: 1, usual: { offers: 8, looking: 1 } });
  expect(cities[0]?.hours.at(-2)).toMatchObject({ offers: 0, usual: null });
});
