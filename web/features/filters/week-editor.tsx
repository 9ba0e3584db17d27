import { useState } from "react";
import type { DaySchedule } from "../../../db/shapes/work/filters.ts";
import { toast } from "../../ui/toast.ts";
import { m } from "../../messages/messages.js";
import { formatWeekday } from "../language/format.ts";
import { HoursLink } from "../hours/hours-link.tsx";
import { useNow } from "../../ui/use-now.ts";
import { DateList } from "./dates/date-list.tsx";
import { scheduleOfWeek, todayAt, withWeek } from "./dates/dates.ts";
import { dayNotes } from "./dates/day-notes.ts";
import { currentScope, WeekScope, type Scope } from "./dates/week-scope.tsx";
import { DayRow } from "./day-row.tsx";
import { copyDay, withDay, type Draft, mapWeek } from "./draft.ts";

const DAY_LABELS = {
  all: m.week_preset_all,
  weekdays: m.week_preset_weekdays,
  weekend: m.week_preset_weekend,
} satisfies Record<DayPreset, () => string>;

const HOUR_LABELS = {
  daytime: m.week_preset_daytime,
  evenings: m.week_preset_evenings,
  whole: m.week_preset_whole,
} satisfies Record<HourPreset, () => string>;

/** The seven days of every week or of one, each a bar that opens under a tap, and the dates that differ. */
export function WeekEditor({ draft, onChange }: { draft: Draft; onChange: (next: Draft) => void }) {
  const [openDay, setOpenDay] = useState<number | null>(null);
  const today = todayAt(useNow(60_000));
  const [chosen, setScope] = useState<Scope>({ kind: "every" });
  const scope = currentScope(chosen, today);
  // The editing is the same for every week and for one: what is edited is a draft with that schedule.
  const edited = scope.kind === "every" ? draft : { ...draft, schedule: scheduleOfWeek(draft, scope.monday) };
  const change = (next: Draft) =>
    onChange(scope.kind === "every" ? next : withWeek(draft, scope.monday, next.schedule));
  const copy = (index: number, name: string) => {
    change(copyDay(edited, index));
    toast(m.week_copied({ day: name }));
  };
  return (
    <section id="week" className="card scroll-mt-20 p-4 sm:p-5">
      <h2 className="text-xl">{m.week_title()}</h2>
      <p className="mt-1 max-w-prose text-sm text-soft">{m.week_text()}</p>
      <HoursLink />
      <WeekScope scope={scope} onChoose={setScope} today={today} />
      <div className="mt-3 grid gap-2">
        <PresetRow
          label={m.week_preset_days()}
          names={DAY_PRESET_NAMES}
          labels={DAY_LABELS}
          current={dayPresetOf(edited)}
          onChoose={(preset) => change(withDays(edited, preset))}
        />
        <PresetRow
          label={m.week_preset_hours()}
          names={HOUR_PRESET_NAMES}
          labels={HOUR_LABELS}
          current={hourPresetOf(edited)}
          onChoose={(preset) => change(withHours(edited, preset))}
        />
      </div>
      <ul className="mt-2 divide-y divide-line">
        {edited.schedule.map((day, index) => {
          const name = formatWeekday(index + 1);
          return (
            <li key={name} data-testid={`day-${index + 1}`}>
              <DayRow
                name={name}
                shortName={formatWeekday(index + 1, "short").replace(".", "")}
                day={day}
                isOpen={openDay === index}
                onToggle={() => setOpenDay(openDay === index ? null : index)}
                onChange={(next) => change(withDay(edited, index, next))}
                onCopy={() => copy(index, name)}
                {...dayNotes(draft, { index, day, scope, today })}
              />
            </li>
          );
        })}
      </ul>
      <DateList draft={draft} onChange={onChange} today={today} />
    </section>
  );
}

/** Presets side by side, the present one pressed. */
function PresetRow<Name extends string>({
  label,
  names,
  labels,
  current,
  onChoose,
}: {
  label: string;
  names: readonly Name[];
  labels: Record<Name, () => string>;
  current: Name | null;
  onChoose: (name: Name) => void;
}) {
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{label}</legend>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === current}
          onClick={() => onChoose(name)}
          className="min-h-11 rounded-field border border-edge px-3 text-sm font-semibold hover:bg-sunken aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-ground"
        >
          {labels[name]()}
        </button>
      ))}
    </fieldset>
  );
}

const HOUR = 60;

/** Weekdays from 0, Monday. */
const DAY_PRESETS = {
  all: [0, 1, 2, 3, 4, 5, 6],
  weekdays: [0, 1, 2, 3, 4],
  weekend: [5, 6],
} as const satisfies Record<string, readonly number[]>;

/** Hours of a day; the same start and end mean all 24. */
const HOUR_PRESETS = {
  daytime: { start: 8 * HOUR, end: 18 * HOUR },
  evenings: { start: 17 * HOUR, end: 23 * HOUR },
  whole: { start: 0, end: 0 },
} as const satisfies Record<string, Pick<DaySchedule, "start" | "end">>;

type DayPreset = keyof typeof DAY_PRESETS;
type HourPreset = keyof typeof HOUR_PRESETS;

/** Works on these days and on no other; each keeps its hours. */
export function withDays(draft: Draft, preset: DayPreset): Draft {
  const days: readonly number[] = DAY_PRESETS[preset];
  return {
    ...draft,
    schedule: mapWeek(draft.schedule, (day, index) => ({ ...day, active: days.includes(index) })),
  };
}

/** These hours on every active day; days off keep theirs. On every day of a week off, which had nothing to show for them. */
export function withHours(draft: Draft, preset: HourPreset): Draft {
  const hours = HOUR_PRESETS[preset];
  const isOff = draft.schedule.every(({ active }) => !active);
  const schedule = mapWeek(draft.schedule, (day) =>
    isOff || day.active ? { ...day, ...hours, active: true } : day,
  );
  return { ...draft, schedule };
}

/** The preset that the active days are; null for none. */
export function dayPresetOf({ schedule }: Draft): DayPreset | null {
  const isPreset = (preset: DayPreset) => {
    const days: readonly number[] = DAY_PRESETS[preset];
    return schedule.every((day, index) => day.active === days.includes(index));
  };
  return DAY_PRESET_NAMES.find(isPreset) ?? null;
}

/** The preset that all active days' hours are; null for none. */
export function hourPresetOf({ schedule }: Draft): HourPreset | null {
  const active = schedule.filter((day) => day.active);
  if (active.length === 0) return null;
  const isPreset = (preset: HourPreset) => {
    const { start, end } = HOUR_PRESETS[preset];
    // All 24 hours can begin at any time of the day.
    return active.every((day) =>
      start === end ? day.start === day.end : day.start === start && day.end === end,
    );
  };
  return HOUR_PRESET_NAMES.find(isPreset) ?? null;
}

const DAY_PRESET_NAMES = ["all", "weekdays", "weekend"] as const satisfies DayPreset[];
const HOUR_PRESET_NAMES = ["daytime", "evenings", "whole"] as const satisfies HourPreset[];
