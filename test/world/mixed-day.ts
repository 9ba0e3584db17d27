import { URL } from "node:url";
import { SimulatedD1 } from "./d1.ts";
import { takeOverGlobals } from "./globals.ts";
import { loadDriverClass } from "./load-driver.ts";
import { HOURS, MORNING, offers, planDay } from "./mixed-day-plan.ts";
import { runWeek } from "./week.ts";

// Lives through the mixed day and prints its figures. Run by `npm run bench`.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAYS_A_MONTH = 30;

/** Prices of the runtime in dollars, as in its list of November 2026. */
const PRICES = { request: 0.15e-6, row: 1e-6, gigabyteSecond: 12.5e-6 };
const OBJECT_GIGABYTES = 0.128;

const root = new URL("../..", import.meta.url);
const driverClass = await loadDriverClass(root);
const d1 = new SimulatedD1(new URL("db/migrations/", root));
takeOverGlobals();

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
