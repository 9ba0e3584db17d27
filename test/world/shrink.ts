import type { Item, WeekPlan } from "./script.ts";

/**
 * Leaves items out of a week's script, first many at a time, then one by one, for as long as the same invariant still
 * breaks.
 */
export async function shrinkWeek(
  plan: WeekPlan,
  stillBreaks: (candidate: WeekPlan) => Promise<boolean>,
): Promise<WeekPlan> {
  let { items } = plan;
  for (let size = Math.ceil(items.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < items.length;) {
      const rest: readonly Item[] = [...items.slice(0, from), ...items.slice(from + size)];
      if (rest.length < items.length && (await stillBreaks({ ...plan, items: rest }))) items = rest;
      else from += size;
    }
  }
  return { ...plan, items };
}
