import { URL } from "node:url";
import { SimulatedD1 } from "../host/d1.ts";
import { takeOverGlobals } from "../host/globals.ts";
import { loadDriverClass } from "../life/load-driver.ts";
import type { Item } from "../script.ts";
import { runWeek } from "../week.ts";
import { MORNING, planDay } from "./mixed-day-plan.ts";

// Notes when objects that were all replaced at one instant ask D1 for something. Run by its test.

const MINUTE = 60_000;
/** Of drivers whose ids are as far apart as real ones. */
const SEEDS = [7, 91, 4_711, 60_013];

const root = new URL("../../..", import.meta.url);
const driverClass = await loadDriverClass(root);
const d1 = new SimulatedD1(new URL("db/migrations/", root));
takeOverGlobals();

/** The hourly work of all of them is due within ten minutes. */
const deployedAt = MORNING + 40 * MINUTE;
const frame: Item[] = [
  { at: MORNING, kind: "switch", on: true },
  { at: deployedAt, kind: "crash", moment: "now", step: "any" },
];
const askedAfterMs: number[][] = [];
for (const seed of SEEDS) {
  const plan = { ...planDay([]), seed, items: frame, endsAt: deployedAt + 11 * MINUTE };
  const { network } = await runWeek(plan, { driverClass, d1 });
  const trips = network.d1Trips.filter(({ sentAt }) => sentAt >= deployedAt);
  askedAfterMs.push(trips.map(({ sentAt }) => sentAt - deployedAt));
}
process.stdout.write(JSON.stringify(askedAfterMs));
process.exit(0);
