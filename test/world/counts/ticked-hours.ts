import { URL } from "node:url";
import { dollarsOf } from "../../bench/price-list.ts";
import { SimulatedD1 } from "../host/d1.ts";
import { takeOverGlobals } from "../host/globals.ts";
import { loadDriverClass } from "../life/load-driver.ts";
import { MORNING, offers, planDay } from "./mixed-day-plan.ts";
import { runWeek } from "../week.ts";

// Lives through the mixed day with a ticker, and through half an hour in which it ends. Run by its test.

const MINUTE = 60_000;
const SETTLED_MS = 5 * MINUTE;

const root = new URL("../../..", import.meta.url);
const driverClass = await loadDriverClass(root);
const d1 = new SimulatedD1(new URL("db/migrations/", root));
takeOverGlobals();
const world = { driverClass, d1 };

const day = await runWeek({ ...planDay(offers(2 * MINUTE)), tickerEnds: [] }, world);
const ending = MORNING + 15 * MINUTE;
const lost = await runWeek(
  { ...planDay([]), endsAt: MORNING + 30 * MINUTE, tickerEnds: [ending], hasPush: false },
  world,
);
const sentAt = lost.network.wire.filter(({ step }) => step === "poll").map((entry) => entry.sentAt);
const gaps = sentAt
  .slice(1)
  .map((at, index) => ({ at, byMs: at - (sentAt[index] ?? at) }))
  .filter(({ at }) => at > MORNING + SETTLED_MS)
  .map(({ byMs }) => byMs)
  .toSorted((one, other) => other - one);

process.stdout.write(
  JSON.stringify({
    polls: day.polls,
    alarms: day.billed.alarms,
    alarmsSet: day.billed.alarmsSet,
    calls: day.billed.calls,
    dollars: dollarsOf(day.billed),
    longestGapMs: gaps[0],
    nextGapMs: gaps[1],
    errors: day.errors.length + lost.errors.length,
  }),
);
process.exit(0);
