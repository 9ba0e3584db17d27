import type { EarningsDay, EarningsWeek } from "../../../db/shapes/work/earnings.ts";
import { m } from "../../messages/messages.js";
import { formatExactMoney, formatWeekday } from "../language/format.ts";

/** The same days as a table, for screen readers. */
export function WeekTable({
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
