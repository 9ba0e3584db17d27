import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { Wallet } from "lucide-react";
import type { ReactNode } from "react";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { EarningsResponse, EarningsDay, EarningsWeek } from "../../../db/shapes/work/earnings.ts";
import { possibleNow } from "../../../db/shapes/work/possible-now.ts";
import { liveStore } from "../../api/live/live.ts";
import { dateIn } from "../../api/live/live-state.ts";
import { earningsQuery } from "../../api/queries/user.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import {
  formatExactMoney,
  formatMoney,
  formatTimeAgo,
  formatWeekday,
  formatCount,
} from "../language/format.ts";

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
  const { currency, today, timeZone, thisWeek, lastWeek, asOf, isStale } = earnings;
  if (thisWeek.blocks + lastWeek.blocks === 0) {
    return <EmptyEarnings title={m.earnings_empty()}>{m.earnings_empty_text()}</EmptyEarnings>;
  }
  const ofToday = thisWeek.days.find(({ date }) => date === today);
  // Earnings that the device kept since yesterday say nothing of today.
  const isOfToday = today === dateIn(now, timeZone);
  const figures = [
    ...(isOfToday ? [{ name: m.earnings_today(), cents: ofToday ? totalWithTips(ofToday) : 0 }] : []),
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

/** This week's days as bars in front of last week's. Hidden from screen readers, which get `WeekTable`. */
function WeekBars({
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
