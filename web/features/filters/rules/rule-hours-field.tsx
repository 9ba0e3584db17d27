import { useId } from "react";
import type { RuleHours } from "../../../../db/shapes/work/filters.ts";
import { m } from "../../../messages/messages.js";
import { Switch } from "../../../ui/inputs/switch.tsx";
import { TimeSelect } from "../../../ui/inputs/time-select.tsx";
import { formatMinuteOfDay, formatWeekday } from "../../language/format.ts";
import { windowKind } from "../schedule-window.ts";
import { FIRST_HOURS } from "./extra-rules.ts";

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

/** The weekdays and hours that a rule has for itself; without them the week's schedule is its own. */
export function RuleHoursField({
  hours,
  onChange,
  error,
}: {
  hours: RuleHours | null;
  onChange: (hours: RuleHours | null) => void;
  error: string | undefined;
}) {
  return (
    <div className="grid gap-3">
      <div className="flex items-center justify-between gap-4">
        <p>
          <span className="block font-semibold">{m.rule_hours_own()}</span>
          <span className="block text-sm text-soft">
            {hours === null ? m.rule_hours_schedule() : m.rule_hours_own_hint()}
          </span>
        </p>
        <Switch
          label={m.rule_hours_own()}
          checked={hours !== null}
          onChange={(isOwn) => onChange(isOwn ? FIRST_HOURS : null)}
        />
      </div>
      {hours !== null && <OwnHours hours={hours} onChange={onChange} error={error} />}
    </div>
  );
}

function OwnHours({
  hours,
  onChange,
  error,
}: {
  hours: RuleHours;
  onChange: (hours: RuleHours) => void;
  error: string | undefined;
}) {
  const note = useId();
  const toggle = (day: number, isOn: boolean) => {
    const others = hours.days.filter((known) => known !== day);
    onChange({ ...hours, days: (isOn ? [...others, day] : others).toSorted((one, other) => one - other) });
  };
  return (
    <>
      <fieldset aria-describedby={error ? note : undefined}>
        <legend className="text-sm font-semibold">{m.week_preset_days()}</legend>
        <div className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(max(44px,2.75rem),1fr))] gap-2">
          {WEEKDAYS.map((day) => (
            <label
              key={day}
              className="relative grid h-11 min-w-0 place-items-center rounded-field border border-edge text-sm font-semibold has-checked:border-ink has-checked:bg-ink has-checked:text-ground has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--focus)"
            >
              <input
                type="checkbox"
                aria-label={formatWeekday(day)}
                className="absolute inset-0 cursor-pointer appearance-none outline-none"
                checked={hours.days.includes(day)}
                onChange={(event) => toggle(day, event.target.checked)}
              />
              <span aria-hidden className="max-w-full truncate first-letter:uppercase">
                {formatWeekday(day, "short").replace(".", "")}
              </span>
            </label>
          ))}
        </div>
        {error && (
          <p id={note} className="mt-1 text-sm font-semibold text-bad">
            {error}
          </p>
        )}
      </fieldset>
      <HoursSelects
        hours={hours}
        labels={{ start: m.rule_hours_from(), end: m.rule_hours_to() }}
        onChange={(window) => onChange({ ...hours, ...window })}
      />
    </>
  );
}

type HoursWindow = Pick<RuleHours, "start" | "end">;

/** From when to when, by the quarter of an hour; says when that ends on the next day. */
export function HoursSelects({
  hours: { start, end },
  labels,
  onChange,
}: {
  hours: HoursWindow;
  labels: { start: string; end: string };
  onChange: (hours: HoursWindow) => void;
}) {
  const kind = windowKind({ start, end });
  return (
    <div>
      <div className="flex items-center gap-2">
        <TimeSelect
          format={formatMinuteOfDay}
          aria-label={labels.start}
          value={start}
          onChange={(next) => onChange({ start: next, end })}
        />
        <span aria-hidden className="text-soft">
          –
        </span>
        <TimeSelect
          format={formatMinuteOfDay}
          aria-label={labels.end}
          value={end}
          onChange={(next) => onChange({ start, end: next })}
        />
      </div>
      {kind !== "same" && (
        <p className="mt-1 text-sm text-soft">
          {kind === "whole" ? m.week_all_day() : m.week_overnight({ time: formatMinuteOfDay(end) })}
        </p>
      )}
    </div>
  );
}
