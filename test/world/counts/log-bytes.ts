import { URL } from "node:url";
import { DAYS_A_MONTH } from "../../bench/price-list.ts";
import { SimulatedD1 } from "../host/d1.ts";
import { takeOverGlobals } from "../host/globals.ts";
import { loadDriverClass } from "../life/load-driver.ts";
import { MORNING, offers, planDay } from "./mixed-day-plan.ts";
import { runWeek } from "../week.ts";

// Counts the bytes that the busiest day adds to an object. Run by its test.

const MINUTE = 60_000;

const root = new URL("../../..", import.meta.url);
const driverClass = await loadDriverClass(root);
const d1 = new SimulatedD1(new URL("db/migrations/", root));
takeOverGlobals();

const items = offers(2 * MINUTE);
const day = await runWeek(planDay(items), { driverClass, d1 });
const night = await runWeek({ ...planDay([]), endsAt: MORNING }, { driverClass, d1 });
const bytesADay = day.bytes - night.bytes;
process.stdout.write(
  JSON.stringify({
    offers: items.length,
    polls: day.polls,
    bytesAMonth: night.bytes + DAYS_A_MONTH * bytesADay,
  }),
);
process.exit(day.ended === "done" ? 0 : 1);
