import { URL } from "node:url";
import { SimulatedD1 } from "./d1.ts";
import { takeOverGlobals } from "./globals.ts";
import { loadDriverClass } from "./load-driver.ts";
import type { Item, WeekPlan } from "./script.ts";
import { runWeek } from "./week.ts";

// Lives through the mixed day and prints its figures. Run by `npm run bench`.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAYS_A_MONTH = 30;
const MORNING = Date.parse("2026-06-08T12:00:00Z");
const TURBO_HOURS = 2;
const HOURS = 8;

/** Prices of the runtime in dollars, as in its list of November 2026. */
const PRICES = { request: 0.15e-6, row: 1e-6, gigabyteSecond: 12.5e-6 };
const OBJECT_GIGABYTES = 0.128;

const root = new URL("../..", import.meta.url);
const driverClass = await loadDriverClass(root);
const d1 = new SimulatedD1(new URL("db/migrations/", root));
takeOverGlobals();

/** A new offer every so often, of which every tenth pays enough. */
function offers(everyMs: number): Item[] {
  return Array.from({ length: Math.floor((HOURS * HOUR) / everyMs) }, (_, index) => {
    const at = MORNING + index * everyMs + MINUTE;
    return {
      at,
      kind: "offer",
      offer: {
        offerId: `of${index}`,
        warehouse: 0,
        startsAt: at + 50 * MINUTE,
        minutes: 60,
        payCents: index % 10 === 0 ? 9000 : 4000,
        currency: "USD",
        serviceType: "parcel",
        until: at + 5 * MINUTE,
        rivalAt: at + 5 * MINUTE,
      },
    };
  });
}

function planDay(items: readonly Item[]): WeekPlan {
  const frame: Item[] = [
    { at: MORNING, kind: "filters", minPriceCents: 8000, bufferMinutes: 0, minHourlyCents: 0 },
    { at: MORNING + 1000, kind: "mode", mode: "masacre", wholeFoods: false },
    { at: MORNING + 2000, kind: "switch", on: true },
    { at: MORNING + TURBO_HOURS * HOUR, kind: "mode", mode: "lucrative", wholeFoods: false },
    { at: MORNING + HOURS * HOUR, kind: "switch", on: false },
  ];
  return {
    seed: 1,
    startsAt: MORNING - 10 * MINUTE,
    endsAt: MORNING + HOURS * HOUR + 5 * MINUTE,
    timeZones: ["America/New_York", "America/New_York", "America/New_York"],
    quota: { kind: "fixed", limit: 300, windowMs: MINUTE },
    refusesOverlaps: true,
    weeklyLimit: null,
    accessTokenSeconds: 3600,
    pollFloorMs: 1000,
    hasPush: true,
    schedule: Array.from({ length: 7 }, () => ({ active: true, start: 0, end: 0 })),
    items: [...frame, ...items].toSorted((one, other) => one.at - other.at),
  };
}

const day = await runWeek(planDay(offers(2 * MINUTE)), { driverClass, d1 });
const idle = await runWeek(planDay([]), { driverClass, d1 });
const morning = await runWeek({ ...planDay([]), endsAt: MORNING + (HOURS / 2) * HOUR }, { driverClass, d1 });
const night = await runWeek({ ...planDay([]), endsAt: MORNING }, { driverClass, d1 });

const { billed } = day;
const dollars =
  (billed.alarms + billed.calls) * PRICES.request +
  (billed.rows + billed.alarmsSet + billed.d1Rows) * PRICES.row +
  (billed.handlerMs / 1000) * OBJECT_GIGABYTES * PRICES.gigabyteSecond;
const figures = {
  polls: day.polls,
  rowsPerIdlePoll: (idle.billed.rows - morning.billed.rows) / (idle.polls - morning.polls),
  rowsToBegin: morning.billed.rows - night.billed.rows,
  bytesPerDriverMonth: night.bytes + DAYS_A_MONTH * (day.bytes - night.bytes),
  dollarsPerDriverMonth: DAYS_A_MONTH * dollars,
};
process.stdout.write(JSON.stringify(figures));
process.exit(day.ended === "done" && day.platform.log.some(({ effect }) => effect) ? 0 : 1);
