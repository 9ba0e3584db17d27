import type { Snapshot } from "../../../db/shapes/work/live.ts";
import type { LocalDate } from "../../../db/shapes/work/local-date.ts";
import type { UsedLimit } from "../../../db/shapes/work/used-limit.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { dayKey } from "../language/format.ts";

/** A day or week with what is used of its limits. */
export type LimitPeriod = {
  name: "today" | "this_week" | "next_week" | "day";
  from: LocalDate;
  limits: UsedLimit[];
};

export function isUsedUp({ used, most }: UsedLimit): boolean {
  return used >= most;
}

/**
 * Today and this week with what is used of their limits; the next day and week where one that is shown before is used up. A
 * snapshot of yesterday knew of today, too. Today is the driver's date, or the first date of a warehouse further east.
 */
export function limitsInView(
  { usedLimits = [], timeZone }: Pick<Snapshot, "usedLimits" | "timeZone">,
  now: EpochMs,
): LimitPeriod[] {
  const date = dayKey(now, timeZone);
  const left = usedLimits.filter(({ until }) => until >= date);
  const byPeriod = Map.groupBy(left, ({ from, until }) => `${from} ${until}`);
  const periods = [...byPeriod.values()].toSorted(
    ([one], [other]) =>
      Number(isWeek(one)) - Number(isWeek(other)) || (one?.from ?? "").localeCompare(other?.from ?? ""),
  );
  const shown: LimitPeriod[] = [];
  for (const limits of periods) {
    const [first] = limits;
    if (!first) continue;
    const isOfWeek = isWeek(first);
    const before = shown.findLast((period) => isWeek(period.limits[0]) === isOfWeek);
    if (before && first.from > date && !before.limits.some(isUsedUp)) continue;
    const name = isOfWeek
      ? first.from <= date
        ? "this_week"
        : "next_week"
      : first.from === date
        ? "today"
        : "day";
    shown.push({ name, from: first.from, limits });
  }
  return shown;
}

function isWeek(limit: UsedLimit | undefined): boolean {
  return limit !== undefined && limit.from !== limit.until;
}
