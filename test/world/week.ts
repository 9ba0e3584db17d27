import type { DriverClass } from "./life/load-driver.ts";
import { createChance } from "./chance.ts";
import type { SimulatedD1 } from "./host/d1.ts";
import { enterWorld } from "./host/globals.ts";
import { openDriverLife, type DriverRecord } from "./life/driver-life.ts";
import { SETTINGS } from "./settings.ts";
import type { WeekPlan } from "./script.ts";
import { Timeline } from "./timeline.ts";

/** More entries than the busiest week needs: one that takes more runs in circles. */
const MAX_ENTRIES = 400_000;

/** All that is known of a week after it. */
export type WeekRecord = DriverRecord & {
  ended: "done" | "endless";
  /** The errors in the object's own log. */
  errors: readonly string[];
};

/** Lives through one driver's week. */
export async function runWeek(
  plan: WeekPlan,
  { driverClass, d1 }: { driverClass: DriverClass; d1: SimulatedD1 },
): Promise<WeekRecord> {
  d1.clear();
  const timeline = new Timeline(plan.startsAt);
  const errors: string[] = [];
  enterWorld({
    timeline,
    chance: createChance(plan.seed, "object"),
    onError: (line) => {
      errors.push(line);
    },
  });
  const life = openDriverLife(plan, { timeline, d1, driverClass, settings: SETTINGS });
  const maxEntries = plan.maxEntries ?? MAX_ENTRIES;
  const ended = await timeline.runUntil(plan.endsAt, { maxEntries });
  const close = life.readAtEnd();
  await timeline.runUntil(plan.endsAt + 10_000, { maxEntries: maxEntries + 20_000 });
  return { ...close(), ended, errors };
}
