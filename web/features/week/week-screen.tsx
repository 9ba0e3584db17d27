import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CalendarRange, ChevronLeft, ChevronRight } from "lucide-react";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import { dayOfDate, type LocalDate } from "../../../db/shapes/work/local-date.ts";
import type { WeekFigures } from "../../../db/shapes/work/week.ts";
import type { WeekResponse } from "../../../worker/contract/work/statistics.ts";
import { warehousesQuery } from "../../api/queries/filters.ts";
import { weekQuery } from "../../api/queries/statistics.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { EmptyList } from "../../ui/empty-list.tsx";
import { Screen } from "../../ui/screen.tsx";
import { StaleNotice } from "../errors/stale-notice.tsx";
import {
  countInputs,
  formatDate,
  formatExactMoney,
  formatLength,
  formatMoney,
  formatRate,
} from "../language/format.ts";
import { changeLabel } from "../offers/change-labels.ts";
import { useUser } from "../session/use-user.ts";

/** A week in figures, against the one before, and the one change of the filters that would have brought most. */
export function WeekScreen({ date }: { date: LocalDate | undefined }) {
  const query = useSuspenseQuery(weekQuery(date));
  const { data: week } = query;
  const { humanTimezone: timeZone } = useUser();
  const isEmpty = week.figures.captured.blocks === 0 && week.figures.worked.blocks === 0;
  return (
    <Screen width="reading" title={m.your_week_title()} text={m.your_week_lead()}>
      <StaleNotice query={query} />
      <WeekSteps week={week} />
      {week.knownFrom !== null && (
        <p className="max-w-prose text-sm text-soft">
          {m.your_week_since({ date: formatDate(week.knownFrom, timeZone) })}
        </p>
      )}
      {isEmpty ? (
        <EmptyList Icon={CalendarRange} title={m.your_week_empty()}>
          {m.your_week_empty_text()}
        </EmptyList>
      ) : (
        <Figures week={week} />
      )}
      <BestChange week={week} />
    </Screen>
  );
}

/** The dates of the week, and the ways to the weeks around it. */
function WeekSteps({ week: { monday, mondays } }: { week: WeekResponse }) {
  const index = mondays.indexOf(monday);
  const [earlier, later] = [mondays[index + 1], index > 0 ? mondays[index - 1] : undefined];
  const day = (offset: number) => formatDate((dayOfDate(monday) + offset) * DAY_MS, "UTC");
  return (
    <nav aria-label={m.your_week_weeks()} className="flex flex-wrap items-center justify-between gap-2">
      <p className="figures font-semibold">{m.your_week_dates({ first: day(0), last: day(6) })}</p>
      <div className="flex flex-wrap gap-2">
        {earlier !== undefined && (
          <Link to="/flex/week" search={{ date: earlier }} className={buttonClass("plain")}>
            <ChevronLeft aria-hidden className="size-4.5" />
            {m.your_week_earlier()}
          </Link>
        )}
        {later !== undefined && (
          <Link to="/flex/week" search={{ date: later }} className={buttonClass("plain")}>
            {m.your_week_later()}
            <ChevronRight aria-hidden className="size-4.5" />
          </Link>
        )}
      </div>
    </nav>
  );
}

function Figures({ week: { figures, before, currency } }: { week: WeekResponse }) {
  const money = (cents: number) => formatExactMoney(cents, currency);
  const rows = [
    {
      name: m.your_week_captured(),
      valueOf: ({ captured }: WeekFigures) => m.your_week_blocks(countInputs(captured.blocks)),
      hint: money(figures.captured.payCents),
    },
    {
      name: m.your_week_worked(),
      valueOf: ({ worked }: WeekFigures) => m.your_week_blocks(countInputs(worked.blocks)),
      hint: formatLength(figures.worked.minutes),
    },
    { name: m.your_week_pay(), valueOf: ({ worked }: WeekFigures) => money(worked.payCents), hint: null },
    {
      name: m.your_week_hourly(),
      valueOf: ({ worked }: WeekFigures) => {
        const hourly = hourlyCents(worked);
        return hourly === null ? m.your_week_none() : formatRate(hourly, currency, formatExactMoney);
      },
      hint: null,
    },
  ];
  return (
    <dl className="grid grid-cols-1 gap-3 sm:grid-cols-2" data-testid="week-figures">
      {rows.map(({ name, valueOf, hint }) => (
        <div key={name} className="card grid content-start gap-0.5 p-4 sm:p-5">
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="figures text-2xl font-semibold">{valueOf(figures)}</dd>
          {hint !== null && <dd className="figures text-sm text-soft">{hint}</dd>}
          {before && (
            <dd className="figures text-sm text-soft">{m.your_week_before({ figure: valueOf(before) })}</dd>
          )}
        </div>
      ))}
    </dl>
  );
}

function hourlyCents({ payCents, minutes }: WeekFigures["worked"]): number | null {
  return minutes === 0 ? null : Math.round((payCents * HOUR_MS) / (minutes * 60_000));
}

/** The change that would have brought most, ready to look at in the filters. Nothing where no single change helps. */
function BestChange({ week: { best, currency } }: { week: WeekResponse }) {
  const warehouses = useQuery(warehousesQuery).data?.warehouses ?? [];
  if (best === null) return null;
  return (
    <section aria-labelledby="best" className="card grid gap-3 p-4 sm:p-5" data-testid="week-best">
      <h2 id="best" className="text-lg">
        {m.your_week_best()}
      </h2>
      <p className="font-semibold">{changeLabel(best.change, { warehouses, currency })}</p>
      <p className="figures text-soft">
        {m.your_week_gain({
          ...countInputs(best.offers),
          money: formatMoney(best.payCents, currency),
        })}
      </p>
      <Link
        to="/flex/filters"
        search={{ change: best.change }}
        className={buttonClass("primary", "justify-self-start")}
      >
        {m.your_week_try()}
      </Link>
    </section>
  );
}
