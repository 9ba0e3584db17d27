import type { EpochMs } from "../../../db/shapes/units.ts";
import type { Snapshot } from "../../../db/shapes/work/live.ts";
import { dayOfDate, weekdayOf, type LocalDate } from "../../../db/shapes/work/local-date.ts";
import type { UsedLimit } from "../../../db/shapes/work/used-limit.ts";
import { m } from "../../messages/messages.js";
import { useNow } from "../../ui/use-now.ts";
import { capitalize } from "../language/capitalize.ts";
import {
  countInputs,
  formatCount,
  formatHours,
  formatLength,
  formatMoney,
  formatWeekday,
  dayKey,
} from "../language/format.ts";
import { groupBy } from "../../../db/shapes/group-by.ts";

/** How much of the driver's limits is used, by day and week; nothing without limits. */
export function LimitsUsed({
  system,
  currency,
}: {
  system: Pick<Snapshot, "usedLimits" | "timeZone">;
  currency: string;
}) {
  const periods = limitsInView(system, useNow(15_000));
  if (periods.length === 0) return null;
  return (
    <dl
      className="figures mt-2 mb-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm"
      data-testid="limits-used"
    >
      {periods.map((period) => (
        <div key={`${period.name} ${period.from}`} className="contents">
          <dt className="text-soft">{periodName(period)}</dt>
          <dd className="flex flex-wrap justify-end gap-x-4">
            {period.limits.map((limit) => (
              <span
                key={limit.limit}
                className={`whitespace-nowrap ${isUsedUp(limit) ? "font-semibold" : ""}`}
              >
                {formatUsed(limit, currency)}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function periodName({ name, from }: LimitPeriod): string {
  switch (name) {
    case "today":
      return m.today_title();
    case "this_week":
      return m.earnings_this_week();
    case "next_week":
      return m.week_scope_next();
    case "day":
      return capitalize(formatWeekday(weekdayOf(dayOfDate(from))));
  }
}

function formatUsed({ limit, used, most }: UsedLimit, currency: string): string {
  switch (limit) {
    case "blocksPerDay":
      return m.limit_used_blocks({ ...countInputs(most), used: formatCount(used) });
    case "minutesPerDay":
    case "minutesPerWeek":
      return m.limit_used({ used: formatHours(used), most: formatLength(most) });
    case "weekGoalCents":
      return m.limit_used({ used: formatMoney(used, currency), most: formatMoney(most, currency) });
  }
}

/** A day or week with what is used of its limits. */
type LimitPeriod = {
  name: "today" | "this_week" | "next_week" | "day";
  from: LocalDate;
  limits: UsedLimit[];
};

function isUsedUp({ used, most }: UsedLimit): boolean {
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
  const byPeriod = groupBy(left, ({ from, until }) => `${from} ${until}`);
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
