import { useState } from "react";
import type { DateException } from "../../../../db/shapes/work/filters.ts";
import { type LocalDate, dateOfDay, dayOfDate } from "../../../../db/shapes/work/local-date.ts";
import { m } from "../../../messages/messages.js";
import { Button } from "../../../ui/button.tsx";
import { INPUT_CLASS } from "../../../ui/inputs/field.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { formatMonth } from "../../language/format.ts";
import { HoursSelects } from "../rules/rule-hours-field.tsx";
import { formatException, formatExceptionDates, formatLocalDate } from "./date-labels.ts";
import { addDays } from "./dates.ts";

/** The latest date that can be entered: a year ahead. */
const MAX_DAYS_AHEAD = 365;

type Kind = "off" | "hours";

/** Adds days off, or one day's own hours. */
export function DateSheet({
  isOpen,
  today,
  onClose,
  onAdd,
}: {
  isOpen: boolean;
  today: LocalDate;
  onClose: () => void;
  onAdd: (added: DateException) => void;
}) {
  return (
    <Sheet open={isOpen} onClose={onClose} title={m.dates_add_title()}>
      <DateForm today={today} onAdd={onAdd} />
    </Sheet>
  );
}

function DateForm({ today, onAdd }: { today: LocalDate; onAdd: (added: DateException) => void }) {
  const [kind, setKind] = useState<Kind>("off");
  const max = addDays(today, MAX_DAYS_AHEAD);
  const [from, setFrom] = useState(addDays(today, 1));
  const [chosenTo, setTo] = useState(from);
  const [hours, setHours] = useState({ start: 9 * 60 + 30, end: 18 * 60 });
  // A first day behind the last one takes it along.
  const to = chosenTo < from ? from : chosenTo;
  const entered: DateException =
    kind === "off" ? { kind, from, to } : { kind, date: from, start: hours.start, end: hours.end };
  return (
    <form
      className="grid grid-cols-1 gap-4"
      data-testid="date-sheet"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd(entered);
      }}
    >
      <KindChoice kind={kind} onChange={setKind} />
      <DateSelect
        label={kind === "off" ? m.date_from() : m.date_day()}
        value={from}
        min={today}
        max={max}
        onChange={setFrom}
      />
      {kind === "off" && <DateSelect label={m.date_to()} value={to} min={from} max={max} onChange={setTo} />}
      {kind === "hours" && (
        <HoursSelects
          hours={hours}
          labels={{ start: m.rule_hours_from(), end: m.rule_hours_to() }}
          onChange={setHours}
        />
      )}
      <div className="text-sm">
        <output className="figures block font-semibold first-letter:uppercase">
          {m.sentence_named({ name: formatExceptionDates(entered), sentence: formatException(entered) })}
        </output>
        <p className="text-soft">{m.dates_local()}</p>
      </div>
      <Button variant="primary" type="submit">
        {m.date_add()}
      </Button>
    </form>
  );
}

function KindChoice({ kind, onChange }: { kind: Kind; onChange: (kind: Kind) => void }) {
  const kinds = [
    { value: "off", label: m.date_kind_off() },
    { value: "hours", label: m.date_kind_hours() },
  ] as const;
  return (
    <fieldset className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-2">
      <legend className="sr-only">{m.date_kind()}</legend>
      {kinds.map(({ value, label }) => (
        <label
          key={value}
          className="flex min-h-11 items-center gap-3 rounded-field border border-edge px-3 py-2 font-semibold has-checked:border-ink has-checked:bg-sunken"
        >
          <input
            type="radio"
            name="date-kind"
            checked={kind === value}
            onChange={() => onChange(value)}
            className="size-4.5 shrink-0 accent-ink"
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

/** A date by month and day, in the language of the page, which a date input of the browser doesn't follow. */
function DateSelect({
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
