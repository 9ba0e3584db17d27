import { expect, it } from "vitest";
import { loadAlerts } from "../../db/queries/fleet/alerts.ts";
import { HOUR_MS } from "../../db/shapes/units.ts";
import { watchService } from "../../worker/cron/watch-service.ts";
import { NOW, openCheckout } from "../payments/checkout-harness.ts";

/** The alerts of a fleet in which drivers of some cities are suspected, each since its last offer, and of others none is. */
async function alertsOf(silent: Readonly<Record<string, number>>, others: readonly string[] = []) {
  const at = openCheckout();
  const add = (city: string, softBlocks: number, offerAt: number) =>
    at.run(
      `INSERT INTO city_hours (hour, city, looked_seconds, soft_blocks, offer_at, call_at) VALUES (?, ?, 3600, ?, ?, ?)`,
      Math.floor(NOW / HOUR_MS),
      city,
      softBlocks,
      offerAt,
      NOW,
    );
  for (const [city, since] of Object.entries(silent)) add(city, 9, since);
  for (const city of others) add(city, 0, NOW);
  const { db } = at.checkout.deps;
  await watchService({
    db,
    now: () => NOW,
    log: () => {},
    restoreRecord: () => null,
    config: { problems: [] },
  });
  const alerts = await loadAlerts(db, NOW);
  return alerts
    .filter(({ name }) => name.startsWith("silence."))
    .map(({ name, reason, since }) => [name, reason, since]);
}

const [early, middle, late] = [NOW - 5 * HOUR_MS, NOW - 4 * HOUR_MS, NOW - 3 * HOUR_MS];

it("is an alert of each city that is silent, with its cause", async () => {
  expect(await alertsOf({ Austin: late, Boise: early })).toEqual([
    ["silence.Austin", "offers: suspected", late],
    ["silence.Boise", "offers: suspected", early],
  ]);
});

it("is one alert where three cities or more are silent, half of all at least, since the first of them", async () => {
  const silent = { Austin: middle, Boise: early, Chicago: late };
  expect(await alertsOf(silent, ["Dallas", "Erie", "Fresno"])).toEqual([
    ["silence.everywhere", "3 cities", early],
  ]);
  const most = await alertsOf(silent, ["Dallas", "Erie", "Fresno", "Gary"]);
  expect(most.map(([name]) => name)).toEqual(["silence.Austin", "silence.Boise", "silence.Chicago"]);
});
