import type { EarningsDay, EarningsWeek } from "../../../db/shapes/work/earnings.ts";
import { m } from "../../messages/messages.js";
import { formatCount, formatWeekday } from "../language/format.ts";

/** This week's days as bars in front of last week's. Hidden from screen readers, which get `WeekTable`. */
export function WeekBars({
  thisWeek,
  lastWeek,
  today,
}: {
  thisWeek: EarningsWeek;
  lastWeek: EarningsWeek;
  today: string;
}) {
  const maxCents = Math.max(...[...thisWeek.days, ...lastWeek.days].map(dayTotalCents), 1);
  const height = (day: EarningsDay | undefined) => `${((day ? dayTotalCents(day) : 0) / maxCents) * 100}%`;
  return (
    <div aria-hidden className="mt-5">
      <ul className="grid grid-cols-7 gap-1">
        {thisWeek.days.map((day, index) => {
          const earned = dayTotalCents(day);
          return (
            <li key={day.date} className="figures min-w-0 text-center text-xs">
              <div className="relative h-28 border-b border-edge pt-5">
                <div className="relative h-full">
                  <span
                    className="absolute inset-x-0.5 bottom-0 rounded-t-md border border-b-0 border-line bg-sunken"
                    style={{ height: height(lastWeek.days[index]) }}
                  />
                  <span
                    className="absolute inset-x-2 bottom-0 rounded-t-sm bg-ink"
                    style={{ height: height(day) }}
                  />
                  {earned > 0 && (
                    <span
                      className="absolute inset-x-0 -translate-y-full font-semibold"
                      style={{
                        top: `${100 - (Math.max(earned, lastWeekCents(lastWeek, index)) / maxCents) * 100}%`,
                      }}
                    >
                      {formatCount(Math.round(earned / 100))}
                    </span>
                  )}
                </div>
              </div>
              <span
                className={`mt-1 block overflow-hidden text-clip whitespace-nowrap first-letter:uppercase ${day.date === today ? "font-bold" : "text-soft"}`}
              >
                {formatWeekday(index + 1, "short")}
              </span>
            </li>
          );
        })}
      </ul>
      <p className="mt-3 flex flex-wrap gap-x-5 text-xs text-soft">
        <span className="flex items-center gap-2">
          <span className="size-3 rounded-sm bg-ink" />
          {m.earnings_this_week()}
        </span>
        <span className="flex items-center gap-2">
          <span className="size-3 rounded-sm border border-edge bg-sunken" />
          {m.earnings_last_week()}
        </span>
      </p>
    </div>
  );
}

function lastWeekCents({ days }: EarningsWeek, index: number): number {
  const day = days[index];
  return day ? dayTotalCents(day) : 0;
}

function dayTotalCents({ cents, tipsCents }: EarningsDay): number {
  return cents + tipsCents;
}
