import type { DaySchedule } from "../../../db/shapes/work/filters.ts";
import type { MinuteOfDay } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { formatMinuteOfDay } from "../language/format.ts";
import { MINUTES_PER_DAY, scheduleSegments } from "./schedule-window.ts";

const STEP = 15;
/** The last minute that a handle can reach. */
const LAST = MINUTES_PER_DAY - STEP;

/** The day from midnight to midnight, with a handle at each end of the window. */
export function DayBar({
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
