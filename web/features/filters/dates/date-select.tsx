import type { LocalDate } from "../../../../db/shapes/work/local-date.ts";
import { dateOfDay, dayOfDate } from "../../../../db/shapes/work/local-date.ts";
import { m } from "../../../messages/messages.js";
import { INPUT_CLASS } from "../../../ui/field.tsx";
import { formatMonth } from "../../language/format.ts";
import { formatLocalDate } from "./date-labels.ts";

/** A date by month and day, in the language of the page, which a date input of the browser doesn't follow. */
export function DateSelect({
  label,
  value,
  min,
  max,
  onChange,
}: {
  label: string;
  value: LocalDate;
  min: LocalDate;
  max: LocalDate;
  onChange: (date: LocalDate) => void;
}) {
  const dates = datesBetween(min, max);
  const months = [...new Set(dates.map(monthOf))];
  const inMonth = dates.filter((date) => monthOf(date) === monthOf(value));
  const chooseMonth = (month: string) => {
    const found = dates.filter((date) => monthOf(date) === month);
    // The same day of that month, or the nearest that can be chosen.
    const next = found.find((date) => date.slice(-2) >= value.slice(-2)) ?? found.at(-1);
    if (next) onChange(next);
  };
  return (
    <fieldset>
      <legend className="text-sm font-semibold">{label}</legend>
      <div className="mt-1 grid grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] gap-2">
        <select
          aria-label={m.date_month({ label })}
          value={monthOf(value)}
          onChange={(event) => chooseMonth(event.target.value)}
          className={`${INPUT_CLASS} min-w-0`}
        >
          {months.map((month) => (
            <option key={month} value={month}>
              {formatMonth(Date.parse(`${month}-01`), "UTC")}
            </option>
          ))}
        </select>
        <select
          aria-label={m.date_day_of({ label })}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={`${INPUT_CLASS} min-w-0`}
        >
          {inMonth.map((date) => (
            <option key={date} value={date}>
              {formatLocalDate(date)}
            </option>
          ))}
        </select>
      </div>
    </fieldset>
  );
}

/** `2026-11`. */
function monthOf(date: LocalDate): string {
  return date.slice(0, 7);
}

function datesBetween(first: LocalDate, last: LocalDate): LocalDate[] {
  const from = dayOfDate(first);
  return Array.from({ length: dayOfDate(last) - from + 1 }, (_, index) => dateOfDay(from + index));
}
