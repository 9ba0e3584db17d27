import { URL } from "node:url";
import { DAYS_A_MONTH, dollarsOf } from "../../bench/price-list.ts";
import { SimulatedD1 } from "../host/d1.ts";
import { takeOverGlobals } from "../host/globals.ts";
import { loadDriverClass } from "../life/load-driver.ts";
import { HOURS, MORNING, offers, planDay } from "./mixed-day-plan.ts";
import { runWeek } from "../week.ts";

// Lives through the mixed day and prints its figures: called by a ticker, as the settings say, and by alarms alone. Run by
// `npm run bench`.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const root = new URL("../../..", import.meta.url);
const driverClass = await loadDriverClass(root);
const d1 = new SimulatedD1(new URL("db/migrations/", root));
takeOverGlobals();

const world = { driverClass, d1 };
const idlePlan = { ...planDay([]), tickerEnds: [] };
const busyPlan = planDay(offers(2 * MINUTE));

const day = await runWeek({ ...busyPlan, tickerEnds: [] }, world);
const idle = await runWeek(idlePlan, world);
const morning = await runWeek({ ...idlePlan, endsAt: MORNING + (HOURS / 2) * HOUR }, world);
const night = await runWeek({ ...idlePlan, endsAt: MORNING }, world);
const alone = await runWeek(busyPlan, world);

const { alarms, calls, alarmsSet, rows, d1Rows, d1Statements, handlerMs } = day.billed;
const counted = { polls: day.polls, alarms, calls, alarmsSet, rows, d1Rows, d1Statements, handlerMs };
const figures = {
  ...counted,
  rowsPerIdlePoll: (idle.billed.rows - morning.billed.rows) / (idle.polls - morning.polls),
  rowsToBegin: morning.billed.rows - night.billed.rows,
  bytesPerDriverMonth: night.bytes + DAYS_A_MONTH * (day.bytes - night.bytes),
  dollarsPerDriverMonth: dollarsOf(counted),
  byAlarms: {
    polls: alone.polls,
    alarms: alone.billed.alarms,
    alarmsSet: alone.billed.alarmsSet,
    dollarsPerDriverMonth: dollarsOf(alone.billed),
  },
};
process.stdout.write(JSON.stringify(figures));
process.exit(day.ended === "done" && day.platform.log.some(({ effect }) => effect) ? 0 : 1);
