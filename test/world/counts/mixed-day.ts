import { URL } from "node:url";
import { DAYS_A_MONTH, dollarsOf } from "../../bench/price-list.ts";
import { SimulatedD1 } from "../host/d1.ts";
import { takeOverGlobals } from "../host/globals.ts";
import { loadDriverClass } from "../life/load-driver.ts";
import { HOURS, MORNING, offers, planDay } from "./mixed-day-plan.ts";
import { runWeek } from "../week.ts";

// Lives through the mixed day and prints its figures. Run by `npm run bench`.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const root = new URL("../../..", import.meta.url);
const driverClass = await loadDriverClass(root);
const d1 = new SimulatedD1(new URL("db/migrations/", root));
takeOverGlobals();

const day = await runWeek(planDay(offers(2 * MINUTE)), { driverClass, d1 });
const idle = await runWeek(planDay([]), { driverClass, d1 });
const morning = await runWeek({ ...planDay([]), endsAt: MORNING + (HOURS / 2) * HOUR }, { driverClass, d1 });
const night = await runWeek({ ...planDay([]), endsAt: MORNING }, { driverClass, d1 });

const { alarms, calls, alarmsSet, rows, d1Rows, d1Statements, handlerMs } = day.billed;
const counted = { polls: day.polls, alarms, calls, alarmsSet, rows, d1Rows, d1Statements, handlerMs };
const figures = {
  ...counted,
  rowsPerIdlePoll: (idle.billed.rows - morning.billed.rows) / (idle.polls - morning.polls),
  rowsToBegin: morning.billed.rows - night.billed.rows,
  bytesPerDriverMonth: night.bytes + DAYS_A_MONTH * (day.bytes - night.bytes),
  dollarsPerDriverMonth: dollarsOf(counted),
};
process.stdout.write(JSON.stringify(figures));
process.exit(day.ended === "done" && day.platform.log.some(({ effect }) => effect) ? 0 : 1);
