import { expect, it } from "vitest";
import { loadAlerts } from "../../../db/queries/fleet/alerts.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { watchService } from "../../../worker/cron/watch-service.ts";
import { NOW, openCheckout } from "../../payments/checkout-harness.ts";

type At = ReturnType<typeof openCheckout>;

function addCity(
  at: At,
  city: string,
  { softBlocks, offerAt }: { softBlocks: number; offerAt: number },
): void {
  at.run(
    `INSERT INTO city_hours (hour, city, looked_seconds, soft_blocks, offer_at, call_at) VALUES (?, ?, 3600, ?, ?, ?)`,
    Math.floor(NOW / HOUR_MS),
    city,
    softBlocks,
    offerAt,
    NOW,
  );
}

/** The alerts of a fleet in which drivers of some cities are suspected, each since its last offer, and of others none is. */
async function alertsOf(silent: Readonly<Record<string, number>>, others: readonly string[] = []) {
  const at = openCheckout();
  for (const [city, since] of Object.entries(silent)) addCity(at, city, { softBlocks: 9, offerAt: since });
  for (const city of others) addCity(at, city, { softBlocks: 0, offerAt: NOW });
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

it("is logged by its name once it begins and once it is over", async () => {
  const at = openCheckout();
  const watch = (now: number) =>
    watchService({
      db: at.checkout.deps.db,
      now: () => now,
      log: at.log,
      restoreRecord: () => null,
      config: { problems: [] },
    });
  addCity(at, "Austin", { softBlocks: 9, offerAt: late });
  await watch(NOW);
  at.run("DELETE FROM city_hours");
  await watch(NOW + 60_000);
  const reason = "offers: suspected";
  expect(at.lines("error", "service.alert.raised")).toMatchObject([{ alert: "silence.Austin", reason }]);
  expect(at.lines("info", "service.alert.ended")).toMatchObject([{ alert: "silence.Austin" }]);
});

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

it("doesn't say that a city's silence is over because it is everywhere by now", async () => {
  const at = openCheckout();
  const { db } = at.checkout.deps;
  const config = { problems: [] };
  const names = async () => {
    await watchService({ db, now: () => NOW, log: at.log, restoreRecord: () => null, config });
    return (await loadAlerts(db, NOW)).map(({ name }) => name);
  };
  addCity(at, "Austin", { softBlocks: 9, offerAt: early });
  expect(await names()).toEqual(["silence.Austin"]);
  for (const city of ["Boise", "Chicago"]) addCity(at, city, { softBlocks: 9, offerAt: late });
  expect(await names()).toEqual(["silence.Austin", "silence.everywhere"]);
  at.run(`DELETE FROM city_hours WHERE city = 'Austin'`);
  addCity(at, "Dallas", { softBlocks: 9, offerAt: late });
  expect(await names()).toEqual(["silence.everywhere"]);
  expect(at.lines("info", "service.alert.ended")).toMatchObject([{ alert: "silence.Austin" }]);
});
