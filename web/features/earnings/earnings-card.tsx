import { useSuspenseQuery } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { Link } from "@tanstack/react-router";
import { Wallet } from "lucide-react";
import type { ReactNode } from "react";
import type { EarningsResponse, EarningsDay, EarningsWeek } from "../../../db/shapes/work/earnings.ts";
import { possibleNow } from "../../../db/shapes/work/possible-now.ts";
import { liveStore } from "../../api/live/live.ts";
import { earningsQuery } from "../../api/queries/user.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import { formatExactMoney, formatMoney, formatTimeAgo, formatWeekday } from "../language/format.ts";
import { WeekBars } from "./week-bars.tsx";

/** The platform's payments: today, this week, last week, and by day. */
export function EarningsCard() {
  const { data } = useSuspenseQuery(earningsQuery);
  const now = useNow(60_000);
  const mustLink = useSelector(
    liveStore,
    ({ snapshot }) => snapshot !== null && possibleNow(snapshot, now).mustLink,
  );
  return (
    <section className="card relative p-5" data-testid="earnings">
      <h2 className="text-lg">{m.earnings_title()}</h2>
      {data.earnings ? (
        <Content earnings={data.earnings} mustLink={mustLink} now={now} />
      ) : (
        <EmptyEarnings title={mustLink ? m.earnings_not_linked() : m.earnings_none()}>
          {m.earnings_none_text()}
        </EmptyEarnings>
      )}
      <Link to="/flex/week" className={buttonClass("quiet", "mt-2 -ml-4")}>
        {m.your_week_title()}
      </Link>
    </section>
  );
}

function Content({
  earnings,
  mustLink,
  now,
}: {
  earnings: NonNullable<EarningsResponse["earnings"]>;
  mustLink: boolean;
  now: EpochMs;
}) {
  const { currency, today, thisWeek, lastWeek, asOf, isStale } = earnings;
  if (thisWeek.blocks + lastWeek.blocks === 0) {
    return <EmptyEarnings title={m.earnings_empty()}>{m.earnings_empty_text()}</EmptyEarnings>;
  }
  const ofToday = thisWeek.days.find(({ date }) => date === today);
  const figures = [
    { name: m.earnings_today(), cents: ofToday ? totalWithTips(ofToday) : 0 },
    { name: m.earnings_this_week(), cents: totalWithTips(thisWeek) },
    { name: m.earnings_last_week(), cents: totalWithTips(lastWeek) },
  ];
  return (
    <>
      <dl className="mt-2 grid gap-1">
        {figures.map(({ name, cents }) => (
          <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt className="text-sm text-soft">{name}</dt>
            <dd className="figures ml-auto font-display text-lg leading-tight font-bold">
              {formatExactMoney(cents, currency)}
            </dd>
          </div>
        ))}
      </dl>
      <WeekBars thisWeek={thisWeek} lastWeek={lastWeek} today={today} />
      <WeekTable thisWeek={thisWeek} lastWeek={lastWeek} currency={currency} />
      {thisWeek.tipsCents > 0 && (
        <p className="figures mt-2 text-sm text-soft">
          {m.earnings_tips({ money: formatMoney(thisWeek.tipsCents, currency) })}
        </p>
      )}
      {lastWeek.tipsCents > 0 && (
        <p className="figures mt-2 text-sm text-soft">
          {m.earnings_tips_last_week({ money: formatMoney(lastWeek.tipsCents, currency) })}
        </p>
      )}
      {isStale && (
        <p className="mt-2 text-sm text-warn">
          {(mustLink ? m.earnings_stale_not_linked : m.earnings_stale)({ ago: formatTimeAgo(now - asOf) })}
        </p>
      )}
    </>
  );
}

/** Pay plus tips. */
function totalWithTips({ cents, tipsCents }: Pick<EarningsDay, "cents" | "tipsCents">): number {
  return cents + tipsCents;
}

function EmptyEarnings({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mt-2 flex items-center gap-3 text-soft">
      <Wallet aria-hidden className="size-6 shrink-0" strokeWidth={1.5} />
      <p>
        <span className="block font-semibold text-ink">{title}</span>
        <span className="text-sm">{children}</span>
      </p>
    </div>
  );
}

/** The same days as a table, for screen readers. */
function WeekTable({
  thisWeek,
  lastWeek,
  currency,
}: {
  thisWeek: EarningsWeek;
  lastWeek: EarningsWeek;
  currency: string;
}) {
  const formatDay = (day: EarningsDay | undefined) =>
    formatExactMoney(day ? day.cents + day.tipsCents : 0, currency);
  return (
    <div className="sr-only">
      <table>
        <caption>{m.earnings_table()}</caption>
        <thead>
          <tr>
            <th scope="col">{m.earnings_day()}</th>
            <th scope="col">{m.earnings_this_week()}</th>
            <th scope="col">{m.earnings_last_week()}</th>
          </tr>
        </thead>
        <tbody>
          {thisWeek.days.map((day, index) => (
            <tr key={day.date}>
              <th scope="row">{formatWeekday(index + 1)}</th>
              <td>{formatDay(day)}</td>
              <td>{formatDay(lastWeek.days[index])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
