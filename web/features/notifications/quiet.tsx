import { useEffect, useEffectEvent, useState } from "react";
import type { QuietHours } from "../../../worker/contract/notifications.ts";
import { m } from "../../messages/messages.js";
import { Field, INPUT_CLASS } from "../../ui/field.tsx";
import { Switch } from "../../ui/switch.tsx";
import { fromClock, toClock } from "../filters/day-window.ts";

/** What most people mean by night. */
const NIGHT: QuietHours = { fromMinute: 22 * 60, toMinute: 6 * 60 };

const SETTLED_AFTER_MS = 1200;

/** Hours in which only what needs the driver is told. */
export function Quiet({
  quietHours,
  onChange,
}: {
  quietHours: QuietHours | null;
  onChange: (quietHours: QuietHours | null) => void;
}) {
  return (
    <div className="grid gap-3">
      <div className="flex items-center justify-between gap-4">
        <div>
          <h3 className="text-base">{m.notify_quiet()}</h3>
          <p className="text-sm text-soft">{m.notify_quiet_text()}</p>
        </div>
        <Switch
          label={m.notify_quiet()}
          checked={quietHours !== null}
          onChange={(on) => onChange(on ? NIGHT : null)}
        />
      </div>
      {quietHours && (
        <div className="flex max-w-80 gap-3">
          <Time
            label={m.notify_quiet_from()}
            minute={quietHours.fromMinute}
            onChange={(fromMinute) => onChange({ ...quietHours, fromMinute })}
          />
          <Time
            label={m.notify_quiet_to()}
            minute={quietHours.toMinute}
            onChange={(toMinute) => onChange({ ...quietHours, toMinute })}
          />
        </div>
      )}
    </div>
  );
}

/** Saved a moment after the last change, or when it is left: not with every digit on the way there. */
function Time({
  label,
  minute,
  onChange,
}: {
  label: string;
  minute: number;
  onChange: (minute: number) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const save = () => {
    const next = typed === null ? null : fromClock(typed);
    setTyped(null);
    if (next !== null && next !== minute) onChange(next);
  };
  const saveLater = useEffectEvent(save);
  useEffect(() => {
    if (typed === null) return undefined;
    const timer = setTimeout(saveLater, SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => () => saveLater(), []);
  return (
    <div className="min-w-0 flex-1">
      <Field label={label}>
        {(wiring) => (
          <input
            {...wiring}
            type="time"
            value={typed ?? toClock(minute)}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={save}
            className={`${INPUT_CLASS} min-w-0`}
          />
        )}
      </Field>
    </div>
  );
}
