import { Copy } from "lucide-react";
import type { DaySchedule } from "../../../db/shapes/filters.ts";
import { m } from "../../messages/messages.js";
import { INPUT_CLASS } from "../../ui/field.tsx";
import { Switch } from "../../ui/switch.tsx";
import { formatMinuteOfDay } from "../language/format.ts";
import { DayBar } from "./day-bar.tsx";
import { parseTimeInput, formatTimeInput, windowKind } from "./schedule-window.ts";

/** One day: active or not, and its hours. */
export function DayRow({
  name,
  day,
  onChange,
  onCopy,
}: {
  name: string;
  day: DaySchedule;
  onChange: (day: DaySchedule) => void;
  onCopy: () => void;
}) {
  return (
    <div className="grid grid-cols-1 items-center gap-x-4 py-2 lg:grid-cols-[11rem_minmax(0,1fr)_auto]">
      <div className="flex items-center gap-3">
        <Switch
          label={m.week_day_active({ day: name })}
          checked={day.active}
          onChange={(active) => onChange({ ...day, active })}
        />
        <span
          className={`inline-block font-semibold first-letter:uppercase ${day.active ? "" : "text-soft"}`}
        >
          {name}
        </span>
        {!day.active && <span className="ml-auto text-sm text-soft lg:hidden">{m.week_off()}</span>}
        {day.active && <CopyButton name={name} onCopy={onCopy} className="ml-auto lg:hidden" />}
      </div>
      {day.active ? (
        <>
          <DayBar name={name} day={day} onChange={onChange} />
          <div className="flex items-center gap-2">
            <TimeInput
              label={m.week_from({ day: name })}
              minute={day.start}
              onChange={(start) => onChange({ ...day, start })}
            />
            <span aria-hidden className="text-soft">
              –
            </span>
            <TimeInput
              label={m.week_to({ day: name })}
              minute={day.end}
              onChange={(end) => onChange({ ...day, end })}
            />
            <CopyButton name={name} onCopy={onCopy} className="hidden lg:grid" />
          </div>
          <Overnight day={day} />
        </>
      ) : (
        <span className="hidden text-sm text-soft lg:block">{m.week_off()}</span>
      )}
    </div>
  );
}

function TimeInput({
  label,
  minute,
  onChange,
}: {
  label: string;
  minute: number;
  onChange: (minute: number) => void;
}) {
  const onInput = (clock: string) => {
    const parsed = parseTimeInput(clock);
    if (parsed !== null) onChange(parsed);
  };
  return (
    <input
      type="time"
      aria-label={label}
      value={formatTimeInput(minute)}
      onChange={(event) => onInput(event.target.value)}
      className={`${INPUT_CLASS} min-w-0 max-[24rem]:px-2 lg:w-37 max-[24rem]:[&::-webkit-calendar-picker-indicator]:hidden`}
    />
  );
}

function CopyButton({ name, onCopy, className }: { name: string; onCopy: () => void; className: string }) {
  const label = m.week_copy({ day: name });
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onCopy}
      className={`grid size-11 shrink-0 place-items-center rounded-field text-soft hover:bg-sunken hover:text-ink ${className}`}
    >
      <Copy aria-hidden className="size-4.5" />
    </button>
  );
}

/** Says when a window ends on the next day, or covers all 24 hours. */
function Overnight({ day }: { day: DaySchedule }) {
  const kind = windowKind(day);
  if (kind === "same") return null;
  const words = kind === "whole" ? m.week_all_day() : m.week_overnight({ time: formatMinuteOfDay(day.end) });
  return <p className="mt-1 text-sm text-soft lg:col-start-2 lg:mt-0">{words}</p>;
}
