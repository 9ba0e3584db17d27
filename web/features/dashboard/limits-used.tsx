import type { Snapshot } from "../../../db/shapes/work/live.ts";
import { dayOfDate, weekdayOf } from "../../../db/shapes/work/local-date.ts";
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
} from "../language/format.ts";
import { isUsedUp, limitsInView, type LimitPeriod } from "./limits-in-view.ts";

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
