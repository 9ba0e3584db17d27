import { ChevronDown, Copy } from "lucide-react";
import { useId } from "react";
import type { DaySchedule } from "../../../db/shapes/work/filters.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Switch } from "../../ui/switch.tsx";
import { TimeSelect } from "../../ui/time-select.tsx";
import { formatMinuteOfDay } from "../language/format.ts";
import { DayBar } from "./day-bar.tsx";
import { formatDaySchedule } from "./part-labels.ts";
import { MINUTES_PER_DAY, scheduleSegments, windowKind } from "./schedule-window.ts";

/** One day: active or not, and its hours as a bar; a tap opens them for changes. */
export function DayRow({
  name,
  shortName,
  day,
  isOpen,
  onToggle,
  onChange,
  onCopy,
}: {
  name: string;
  /** For what is seen, where a line has room for little. */
  shortName: string;
  day: DaySchedule;
  isOpen: boolean;
  onToggle: () => void;
  onChange: (day: DaySchedule) => void;
  onCopy: () => void;
}) {
  const details = useId();
  const isShown = isOpen && day.active;
  return (
    <>
      <div className="flex min-h-12 items-center gap-2" data-testid="day-row">
        <Switch
          label={m.week_day_active({ day: name })}
          checked={day.active}
          onChange={(active) => onChange({ ...day, active })}
        />
        {day.active ? (
          <button
            type="button"
            aria-expanded={isShown}
            aria-controls={details}
            onClick={onToggle}
            className="grid min-h-12 min-w-0 flex-1 grid-cols-[1fr_auto] content-center items-center gap-x-2 gap-y-1.5 rounded-field px-1 text-left hover:bg-sunken"
          >
            <DayLine {...{ name, shortName, day }} />
            <ChevronDown
              aria-hidden
              className={`row-span-2 row-start-1 col-start-2 size-4.5 text-soft transition-transform duration-150 ${isShown ? "rotate-180" : ""}`}
            />
            <HoursBar day={day} />
          </button>
        ) : (
          <p className="flex-1 px-1 text-soft">
            <DayLine {...{ name, shortName, day }} />
          </p>
        )}
      </div>
      {isShown && (
        <div id={details} className="pb-3">
          <DayBar name={name} day={day} onChange={onChange} />
          <div className="flex items-center gap-2">
            <TimeSelect
              format={formatMinuteOfDay}
              aria-label={m.week_from({ day: name })}
              value={day.start}
              onChange={(start) => onChange({ ...day, start })}
            />
            <span aria-hidden className="text-soft">
              –
            </span>
            <TimeSelect
              format={formatMinuteOfDay}
              aria-label={m.week_to({ day: name })}
              value={day.end}
              onChange={(end) => onChange({ ...day, end })}
            />
          </div>
          <Overnight day={day} />
          <Button variant="quiet" className="-ml-4" aria-label={m.week_copy({ day: name })} onClick={onCopy}>
            <Copy aria-hidden className="size-4.5" />
            {m.week_copy_short()}
          </Button>
        </div>
      )}
    </>
  );
}

function DayLine({ name, shortName, day }: { name: string; shortName: string; day: DaySchedule }) {
  return (
    <span className="flex min-w-0 items-baseline justify-between gap-2">
      <span className="sr-only">{name}</span>
      <span aria-hidden className="inline-block font-semibold first-letter:uppercase">
        {shortName}
      </span>
      <span className="figures text-right text-sm text-soft">{formatDaySchedule(day)}</span>
    </span>
  );
}

/** The day from midnight to midnight, to see the week at a glance. */
function HoursBar({ day }: { day: DaySchedule }) {
  return (
    <span aria-hidden className="relative col-start-1 block h-1 overflow-hidden rounded-full bg-sunken">
      {scheduleSegments(day).map(({ from, to }) => (
        <span
          key={from}
          className="absolute inset-y-0 rounded-full bg-ink"
          style={{
            left: `${(from / MINUTES_PER_DAY) * 100}%`,
            width: `${((to - from) / MINUTES_PER_DAY) * 100}%`,
          }}
        />
      ))}
    </span>
  );
}

/** Says when a window ends on the next day, or covers all 24 hours. */
function Overnight({ day }: { day: DaySchedule }) {
  const kind = windowKind(day);
  if (kind === "same") return null;
  const words = kind === "whole" ? m.week_all_day() : m.week_overnight({ time: formatMinuteOfDay(day.end) });
  return <p className="mt-1 text-sm text-soft">{words}</p>;
}
