import { useEffect, useEffectEvent, useState } from "react";
import type { QuietHours } from "../../../db/shapes/notifications.ts";
import { m } from "../../messages/messages.js";
import { Field, INPUT_CLASS } from "../../ui/field.tsx";
import { Switch } from "../../ui/switch.tsx";
import { parseTimeInput, formatTimeInput } from "../filters/schedule-window.ts";

/** What most people mean by night. */
const DEFAULT_QUIET_HOURS: QuietHours = { fromMinute: 22 * 60, toMinute: 6 * 60 };

const SAVE_DELAY_MS = 1200;

/** Hours in which only what needs the driver is told. */
export function QuietHoursEditor({
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
          onChange={(on) => onChange(on ? DEFAULT_QUIET_HOURS : null)}
        />
      </div>
      {quietHours && (
        <div className="flex max-w-80 flex-wrap gap-3">
          <TimeField
            label={m.notify_quiet_from()}
            minute={quietHours.fromMinute}
            onChange={(fromMinute) => onChange({ ...quietHours, fromMinute })}
          />
          <TimeField
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
function TimeField({
  label,
  minute,
  onChange,
}: {
  label: string;
  minute: number;
  onChange: (minute: number) => void;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const save = () => {
    const next = draft === null ? null : parseTimeInput(draft);
    setDraft(null);
    if (next !== null && next !== minute) onChange(next);
  };
  const saveLater = useEffectEvent(save);
  useEffect(() => {
    if (draft === null) return undefined;
    const timer = setTimeout(saveLater, SAVE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  useEffect(() => () => saveLater(), []);
  return (
    <div className="min-w-34 flex-1">
      <Field label={label}>
        {(wiring) => (
          <input
            {...wiring}
            type="time"
            value={draft ?? formatTimeInput(minute)}
            onChange={(event) => setDraft(event.target.value)}
            onBlur={save}
            className={`${INPUT_CLASS} min-w-0`}
          />
        )}
      </Field>
    </div>
  );
}
