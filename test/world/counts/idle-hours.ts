import { URL } from "node:url";
import { SimulatedD1 } from "../host/d1.ts";
import { takeOverGlobals } from "../host/globals.ts";
import { loadDriverClass } from "../life/load-driver.ts";
import { MORNING, planDay } from "./mixed-day-plan.ts";
import type { WeekPlan } from "../script.ts";
import { runWeek } from "../week.ts";

// Counts what an hour without offers costs, by the pace at which the object polls. Run by its test.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const root = new URL("../../..", import.meta.url);
const driverClass = await loadDriverClass(root);
const d1 = new SimulatedD1(new URL("db/migrations/", root));
takeOverGlobals();

/** Counts from half an hour after the switch, when the quota is known, in lucrative mode. */
async function countIdleHours(
  quota: WeekPlan["quota"],
  rules: Partial<Pick<WeekPlan, "asks" | "limits" | "schedule" | "region">> = {},
) {
  const upTo = (hours: number) => ({
    ...planDay([], { turboHours: 1 / 60 }),
    quota,
    ...rules,
    endsAt: MORNING + hours * HOUR,
  });
  const before = await runWeek(upTo(0.5), { driverClass, d1 });
  const after = await runWeek(upTo(1.5), { driverClass, d1 });
  const of = ({ polls, billed }: typeof before) => ({ polls, ...billed });
  const [from, to] = [of(before), of(after)];
  return {
    polls: to.polls - from.polls,
    alarms: to.alarms - from.alarms,
    alarmsSet: to.alarmsSet - from.alarmsSet,
    rows: to.rows - from.rows,
    d1Statements: to.d1Statements - from.d1Statements,
  };
}

/** Fewer polls than one in ten seconds: the object leaves memory after each. */
const seldom = { kind: "fixed", limit: 5, windowMs: MINUTE } as const;
const limits = {
  blocksPerDay: 3,
  minutesPerDay: 480,
  minutesPerWeek: 2_400,
  restMinutes: 30,
  travelMinutes: 60,
  weekGoalCents: 90_000,
};

/** Hours that begin anew each morning, an hour before which everything is checked. */
const schedule = Array.from({ length: 7 }, () => ({ active: true, start: 0, end: 20 * 60 }));

const counts = {
  everyThreeSeconds: await countIdleHours({ kind: "fixed", limit: 300, windowMs: MINUTE }),
  beforeChecks: await countIdleHours({ kind: "fixed", limit: 300, windowMs: MINUTE }, { schedule }),
  everyThirteenSeconds: await countIdleHours(seldom),
  /** Made where the platform was before, and linked there: it works on. */
  inFormerRegion: await countIdleHours(seldom, { region: "weur" }),
  /** Rules that ask first, and all limits. */
  askingWithinLimits: await countIdleHours(seldom, { asks: true, limits }),
};
process.stdout.write(JSON.stringify(counts));
process.exit(0);
