import { useEffect, useEffectEvent, useState } from "react";
import type { QuietHours } from "../../../db/shapes/notifications.ts";
import { m } from "../../messages/messages.js";
import { Field } from "../../ui/inputs/field.tsx";
import { Switch } from "../../ui/inputs/switch.tsx";
import { TimeSelect } from "../../ui/inputs/time-select.tsx";
import { formatMinuteOfDay } from "../language/format.ts";

/** Most people's choice. */
const DEFAULT_QUIET_HOURS: QuietHours = { fromMinute: 22 * 60, toMinute: 6 * 60 };

const SAVE_DELAY_MS = 1200;

/**
 * Hours in which the driver gets only the notifications that need them. Saves times automatically: a moment after the last
 * change, or when a field or the screen is left.
 */
export function QuietHoursEditor({
  quietHours,
  onChange,
}: {
  quietHours: QuietHours | null;
  onChange: (quietHours: QuietHours | null) => void;
}) {
  /** Times that are chosen and not saved yet. From then on it shows what is saved: what the server refuses is taken back. */
  const [draft, setDraft] = useState<QuietHours | null>(null);
  const save = () => {
    if (!draft) return;
    setDraft(null);
    if (draft.fromMinute !== quietHours?.fromMinute || draft.toMinute !== quietHours.toMinute)
      onChange(draft);
  };
  const saveLatest = useEffectEvent(save);
  useEffect(() => {
    if (!draft) return undefined;
    const timer = setTimeout(() => saveLatest(), SAVE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  useEffect(() => () => saveLatest(), []);
  const toggle = (on: boolean) => {
    // Else it would be saved later, and turn them on again.
    setDraft(null);
    onChange(on ? DEFAULT_QUIET_HOURS : null);
  };
  const shown = quietHours && (draft ?? quietHours);
  return (
    <div className="grid gap-3">
      <div className="flex items-center justify-between gap-4">
        <div>
          <h3 className="text-base">{m.notify_quiet()}</h3>
          <p className="text-sm text-soft">{m.notify_quiet_text()}</p>
        </div>
        <Switch label={m.notify_quiet()} checked={quietHours !== null} onChange={toggle} />
      </div>
      {shown && (
        <div className="flex max-w-80 flex-wrap gap-3">
          <TimeField
            label={m.notify_quiet_from()}
            value={shown.fromMinute}
            onChange={(fromMinute) => setDraft({ ...shown, fromMinute })}
            onBlur={save}
          />
          <TimeField
            label={m.notify_quiet_to()}
            value={shown.toMinute}
            onChange={(toMinute) => setDraft({ ...shown, toMinute })}
            onBlur={save}
          />
        </div>
      )}
    </div>
  );
}

function TimeField({
  label,
  ...control
}: {
  label: string;
  value: number;
  onChange: (minute: number) => void;
  onBlur: () => void;
}) {
  return (
    <div className="min-w-34 flex-1">
      <Field label={label}>
        {(inputProps) => <TimeSelect {...inputProps} {...control} format={formatMinuteOfDay} />}
      </Field>
    </div>
  );
}
