import { ChevronDown, Copy } from "lucide-react";
import { useId } from "react";
import type { MinuteOfDay } from "../../../db/shapes/units.ts";
import type { DaySchedule } from "../../../db/shapes/work/filters.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Switch } from "../../ui/inputs/switch.tsx";
import { formatMinuteOfDay } from "../language/format.ts";
import { HoursSelects } from "./rules/rule-hours-field.tsx";
import {
  MINUTES_PER_DAY,
  scheduleSegments,
  type ScheduleSegment,
  formatDaySchedule,
} from "./schedule-window.ts";

const STEP = 15;

/** One day: active or not, and its hours as a bar; a tap opens them for changes. */
export function DayRow({
  name,
  shortName,
  day,
  isOpen,
  onToggle,
  onChange,
  onCopy,
  also = [],
  notes = [],
}: {
  name: string;
  /** For what is seen, where a line has room for little. */
  shortName: string;
  day: DaySchedule;
  isOpen: boolean;
  onToggle: () => void;
  onChange: (day: DaySchedule) => void;
  onCopy: () => void;
  /** The hours in which some rule looks beside the day's own. */
  also?: readonly ScheduleSegment[];
  /** The differences of this day, in a line each. */
  notes?: readonly string[];
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
            <HoursBar segments={scheduleSegments(day)} also={also} />
          </button>
        ) : (
          <div className="grid flex-1 gap-y-1.5 px-1 text-soft">
            <DayLine {...{ name, shortName, day }} />
            {also.length > 0 && <HoursBar segments={[]} also={also} />}
          </div>
        )}
      </div>
      {notes.map((note) => (
        <p key={note} className="figures -mt-1 pb-2 pl-16 text-sm text-soft first-letter:uppercase">
          {note}
        </p>
      ))}
      {isShown && (
        <div id={details} className="pb-3">
          <DayBar name={name} day={day} onChange={onChange} />
          <HoursSelects
            hours={day}
            labels={{ start: m.week_from({ day: name }), end: m.week_to({ day: name }) }}
            onChange={(hours) => onChange({ ...day, ...hours })}
          />
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
function HoursBar({
  segments,
  also,
}: {
  segments: readonly ScheduleSegment[];
  also: readonly ScheduleSegment[];
}) {
  return (
    <span aria-hidden className="relative col-start-1 block h-1 overflow-hidden rounded-full bg-sunken">
      {also.map((segment) => (
        <Segment key={`${segment.from} ${segment.to}`} segment={segment} className="bg-edge" />
      ))}
      {segments.map((segment) => (
        <Segment key={segment.from} segment={segment} className="bg-ink" />
      ))}
    </span>
  );
}

function Segment({ segment: { from, to }, className }: { segment: ScheduleSegment; className: string }) {
  return (
    <span
      className={`absolute inset-y-0 rounded-full ${className}`}
      style={{
        left: `${(from / MINUTES_PER_DAY) * 100}%`,
        width: `${((to - from) / MINUTES_PER_DAY) * 100}%`,
      }}
    />
  );
}

/** The last minute that a handle can reach. */
const LAST = MINUTES_PER_DAY - STEP;

/** The day from midnight to midnight, with a handle at each end of the window. */
function DayBar({
  name,
  day,
  onChange,
}: {
  name: string;
  day: DaySchedule;
  onChange: (day: DaySchedule) => void;
}) {
  return (
    <div className="mx-5.5 flex h-11 items-center">
      <div className="relative h-2 w-full rounded-full bg-sunken">
        {scheduleSegments(day).map(({ from, to }) => (
          <span
            key={from}
            className="absolute inset-y-0 rounded-full bg-ink"
            style={{ left: `${percentOfDay(from)}%`, width: `${percentOfDay(to - from)}%` }}
          />
        ))}
        <Handle
          label={m.week_handle_start({ day: name })}
          minute={day.start}
          onMove={(start) => onChange({ ...day, start })}
        />
        <Handle
          label={m.week_handle_end({ day: name })}
          minute={day.end}
          onMove={(end) => onChange({ ...day, end })}
        />
      </div>
    </div>
  );
}

/** One handle. The two inputs overlap, so only their thumbs take pointer events. */
function Handle({
  label,
  minute,
  onMove,
}: {
  label: string;
  minute: MinuteOfDay;
  onMove: (minute: MinuteOfDay) => void;
}) {
  return (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={formatMinuteOfDay(minute)}
      min={0}
      max={LAST}
      step={STEP}
      value={minute}
      onChange={(event) => onMove(Number(event.target.value))}
      className="day-handle"
    />
  );
}

function percentOfDay(minutes: number): number {
  return Math.min((minutes / LAST) * 100, 100);
}
