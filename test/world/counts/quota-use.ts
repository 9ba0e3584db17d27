import { URL } from "node:url";
import { SimulatedD1 } from "../host/d1.ts";
import { takeOverGlobals } from "../host/globals.ts";
import { loadDriverClass } from "../life/load-driver.ts";
import { MORNING, planDay } from "./mixed-day-plan.ts";
import type { Item, WeekPlan } from "../script.ts";
import { runWeek } from "../week.ts";

// Counts what the whole object uses of a quota, and what it is refused, where it wants more than there is. Run by its test.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const SECONDS = 5 * 60;
/** From the switch on: polls that only the quota limits. */
const FLOOR_MS = 100;

const root = new URL("../../..", import.meta.url);
const driverClass = await loadDriverClass(root);
const d1 = new SimulatedD1(new URL("db/migrations/", root));
takeOverGlobals();

async function count(quota: WeekPlan["quota"], items: readonly Item[], forMs: number) {
  const day = planDay([]);
  const endsAt = MORNING + forMs;
  const frame = [...day.items, ...items].filter(({ at }) => at < endsAt);
  const plan = { ...day, seed: 1_234, quota, pollFloorMs: FLOOR_MS, endsAt };
  const { platform } = await runWeek(
    { ...plan, items: frame.toSorted((one, other) => one.at - other.at) },
    { driverClass, d1 },
  );
  const polls = platform.log.filter(({ operation }) => operation === "offers");
  const refused = polls.filter(({ status }) => status === 429).length;
  const [first, second] = polls;
  return { answered: polls.length - refused, refused, secondAfterMs: (second?.at ?? 0) - (first?.at ?? 0) };
}

const shrinks = (at: number): Item => ({
  at: MORNING + 5 * MINUTE + at * SECOND,
  kind: "shrink quota",
  limit: 20,
  forMs: 60 * MINUTE,
});
const counts = {
  fiveASecond: {
    fixed: await count({ kind: "fixed", limit: 5, windowMs: SECOND }, [], SECONDS * SECOND),
    sliding: await count({ kind: "sliding", limit: 5, windowMs: SECOND }, [], SECONDS * SECOND),
  },
  shrinking: {
    fixed: await count({ kind: "fixed", limit: 100, windowMs: MINUTE }, [shrinks(20)], 10 * MINUTE),
    fixedLate: await count({ kind: "fixed", limit: 100, windowMs: MINUTE }, [shrinks(50)], 10 * MINUTE),
    sliding: await count({ kind: "sliding", limit: 100, windowMs: MINUTE }, [shrinks(20)], 10 * MINUTE),
    slidingLate: await count({ kind: "sliding", limit: 100, windowMs: MINUTE }, [shrinks(50)], 10 * MINUTE),
  },
};
process.stdout.write(JSON.stringify(counts));
process.exit(0);
