import { useQuery } from "@tanstack/react-query";
import { useState, useMemo } from "react";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { DEVICE_TIME_ZONE, dayKey, formatCount, formatExactMoney } from "../../features/language/format.ts";
import type { MoneyInCurrency, MoneyResponse } from "../../../worker/contract/console/operator-money.ts";
import { toAmount } from "../../ui/csv.ts";
import { useNow } from "../../ui/use-now.ts";
import { moneyQuery } from "../calls/money.ts";
import { CONSOLE_PATHS } from "../console-page.ts";
import { m } from "../messages/messages.js";
import { PlotFigure, type FigureSeries } from "../plots/plot-figure.tsx";
import { daysOfSearch, netOf, sumOf, type Days, keysOf, midnightsOf, sumBy } from "./money-days.ts";
import { Disputes, PaymentList, RefundList } from "./money-lists.tsx";
import { Books } from "./books.tsx";
import { MoneySpan } from "./money-span.tsx";
import { PointTable, RevenueTables } from "./money-tables.tsx";
import { useOperator } from "../calls/operator.ts";
import { QueryState } from "../calls/load-states.tsx";
import { Section } from "../tables/data-table.tsx";

const MINUTE_MS = 60_000;

/** Income, refunds and disputes of some days, which the address names. */
export function MoneyScreen({ initialSearch }: { initialSearch: string }) {
  const me = useOperator();
  const today = dayKey(useNow(MINUTE_MS), DEVICE_TIME_ZONE);
  const [days, setDays] = useState(() => daysOfSearch(initialSearch, today));
  const query = { ...days, zone: DEVICE_TIME_ZONE };
  const found = useQuery(moneyQuery(query));
  const change = (chosen: Days) => {
    setDays(chosen);
    history.replaceState(null, "", `${CONSOLE_PATHS.money}?from=${chosen.from}&to=${chosen.to}`);
  };
  return (
    <>
      <div className="grid gap-4">
        <h1 className="text-2xl">{m.nav_money()}</h1>
        <MoneySpan days={days} today={today} onChange={change} />
        <p className="text-sm text-soft">
          {m.money_note({ currency: me.currency, zone: DEVICE_TIME_ZONE.replaceAll("_", " ") })}
        </p>
      </div>
      <QueryState query={found} className="" />
      {found.data && <Summary money={found.data} />}
      {found.data && <RevenuePlot money={found.data} title={m.money_by_day()} days={days} />}
      <Disputes days={query} />
      {found.data && <RevenueTables money={found.data} nameOf={(title) => title} />}
      {found.data?.others.map((money) => (
        <OtherCurrency key={money.currency} money={money} days={days} />
      ))}
      <RefundList days={query} />
      <PaymentList days={query} />
      {found.data && <PointTable money={found.data} />}
      {me.operator.role === "owner" && <Books days={days} />}
    </>
  );
}

function Summary({ money }: { money: MoneyResponse }) {
  const { drivers } = money;
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
      <MoneyFigures money={money} testId="money" className="card" />
      <dl className="card grid gap-4 p-5 sm:grid-cols-2" data-testid="drivers">
        <Figure name={m.drivers_paying()} note={m.drivers_paying_note()} isMain>
          {formatCount(drivers.paying)}
        </Figure>
        <Figure name={m.drivers_first()} note={m.drivers_first_note()}>
          {formatCount(drivers.first)}
        </Figure>
        <Figure name={m.drivers_returning()} note={m.drivers_returning_note()}>
          {formatCount(drivers.returning)}
        </Figure>
        <Figure name={m.drivers_lost()} note={m.drivers_lost_note()}>
          {formatCount(drivers.lost)}
        </Figure>
      </dl>
    </div>
  );
}

/** Money of a currency that the deployment had before: two are never added. */
function OtherCurrency({ money, days }: { money: MoneyInCurrency; days: Days }) {
  const nameOf = (title: string) => `${title} (${money.currency})`;
  return (
    <>
      <Section title={m.money_other_currency({ currency: money.currency })}>
        <MoneyFigures money={money} testId={`money-${money.currency}`} />
      </Section>
      <RevenuePlot money={money} title={nameOf(m.money_by_day())} days={days} />
      <RevenueTables money={money} nameOf={nameOf} />
    </>
  );
}

function MoneyFigures({
  money: { revenue, currency, fees },
  testId,
  className = "",
}: {
  money: MoneyInCurrency;
  testId: string;
  className?: string;
}) {
  const total = sumOf(revenue);
  const money = (cents: number) => formatExactMoney(cents, currency);
  return (
    <dl className={`${className} grid gap-4 p-5 sm:grid-cols-2`} data-testid={testId}>
      <Figure name={m.money_net()} isMain>
        {money(netOf(total))}
      </Figure>
      <Figure name={m.money_gross()}>{money(total.grossCents)}</Figure>
      <Figure name={m.money_refunded()}>{money(total.refundedCents)}</Figure>
      <Figure name={m.money_disputed()}>{money(total.disputedCents)}</Figure>
      <Figure
        name={m.money_fees()}
        note={m.money_fees_note({
          known: formatCount(fees.known),
          payments: formatCount(fees.payments),
          money: money(fees.disputeCents),
        })}
      >
        {money(fees.cents)}
      </Figure>
    </dl>
  );
}

function Figure({
  name,
  note,
  isMain = false,
  children,
}: {
  name: string;
  note?: string;
  isMain?: boolean;
  children: string;
}) {
  return (
    <div>
      <dt className="text-sm text-soft">{name}</dt>
      <dd className={`figures font-semibold ${isMain ? "text-2xl" : "text-lg"}`}>{children}</dd>
      {note && <dd className="text-sm text-soft">{note}</dd>}
    </div>
  );
}

/** Money that came in each day, and money that went back. */
function RevenuePlot({ money, title, days }: { money: MoneyInCurrency; title: string; days: Days }) {
  const { revenue, currency } = money;
  const { at, series } = useMemo(() => {
    const sums = new Map(sumBy(revenue, ({ day }) => day).map((sum) => [sum.key, sum]));
    const keys = keysOf({ from: days.from, to: days.to });
    const back = keys.map((key) => (sums.get(key)?.refundedCents ?? 0) + (sums.get(key)?.disputedCents ?? 0));
    const rows: FigureSeries[] = [
      {
        label: m.money_gross(),
        color: "good",
        kind: "bars",
        values: keys.map((key) => sums.get(key)?.grossCents ?? 0),
      },
      {
        label: m.money_back(),
        color: "bad",
        kind: "bars",
        values: back.map((cents) => -cents),
        shown: back,
      },
    ];
    return { at: midnightsOf(keys), series: rows };
  }, [revenue, days.from, days.to]);
  if (revenue.length === 0) return null;
  return (
    <Section title={title}>
      <PlotFigure
        label={title}
        at={at}
        span={DAY_MS}
        series={series}
        formatValue={(cents) => formatExactMoney(cents, currency)}
        toCell={toAmount}
      />
    </Section>
  );
}
