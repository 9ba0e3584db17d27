import { useRef, type KeyboardEvent, type PointerEvent } from "react";
import type { DaySchedule } from "../../../durable/engine/rules.ts";
import { m } from "../../messages/messages.js";
import { sayMinuteOfDay } from "../language/format.ts";
import { MINUTES_A_DAY, snap, stretchesOf } from "./day-window.ts";

const STEP = 15;
const PAGE = 60;

/** The day from midnight to midnight, with a handle at each edge of the window. */
export function DayBar({ name, day, onChange }: { name: string; day: DaySchedule; onChange: (day: DaySchedule) => void }) {
  const track = useRef<HTMLDivElement>(null);
  const minuteAt = (clientX: number) => {
    const box = track.current?.getBoundingClientRect();
    return box ? snap(((clientX - box.left) / box.width) * MINUTES_A_DAY, STEP) : 0;
  };
  return (
    <div className="mx-4 flex h-11 items-center">
      <div ref={track} className="relative h-2 w-full rounded-full bg-sunken">
        {stretchesOf(day).map(({ from, to }) => (
          <span
            key={from}
            className="absolute inset-y-0 rounded-full bg-ink"
            style={{ left: `${share(from)}%`, width: `${share(to - from)}%` }}
          />
        ))}
        <Handle
          label={m.week_handle_start({ day: name })}
          minute={day.start}
          minuteAt={minuteAt}
          onMove={(start) => onChange({ ...day, start })}
        />
        <Handle
          label={m.week_handle_end({ day: name })}
          minute={day.end}
          minuteAt={minuteAt}
          onMove={(end) => onChange({ ...day, end })}
        />
      </div>
    </div>
  );
}

function Handle({
  label,
  minute,
  minuteAt,
  onMove,
}: {
  label: string;
  minute: number;
  minuteAt: (clientX: number) => number;
  onMove: (minute: number) => void;
}) {
  const grab = (event: PointerEvent<HTMLDivElement>) => event.currentTarget.setPointerCapture(event.pointerId);
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const next = minuteAt(event.clientX);
    if (next !== minute) onMove(next);
  };
  const press = (event: KeyboardEvent) => {
    const next = minuteByKey(event.key, minute);
    if (next === null) return;
    event.preventDefault();
    onMove(next);
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={MINUTES_A_DAY - STEP}
      aria-valuenow={minute}
      aria-valuetext={sayMinuteOfDay(minute)}
      onPointerDown={grab}
      onPointerMove={drag}
      onKeyDown={press}
      className="absolute top-1/2 grid size-11 -translate-x-1/2 -translate-y-1/2 cursor-ew-resize touch-none place-items-center rounded-full"
      style={{ left: `${share(minute)}%` }}
    >
      <span className="size-5 rounded-full border-2 border-ink bg-raised" />
    </div>
  );
}

function minuteByKey(key: string, minute: number): number | null {
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return snap(minute + STEP, STEP);
    case "ArrowLeft":
    case "ArrowDown":
      return snap(minute - STEP, STEP);
    case "PageUp":
      return snap(minute + PAGE, STEP);
    case "PageDown":
      return snap(minute - PAGE, STEP);
    case "Home":
      return 0;
    case "End":
      return MINUTES_A_DAY - STEP;
    default:
      return null;
  }
}

function share(minutes: number): number {
  return (minutes / MINUTES_A_DAY) * 100;
}
