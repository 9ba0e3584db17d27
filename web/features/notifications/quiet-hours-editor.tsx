import type { QuietHours } from "../../../db/shapes/notifications.ts";
import { m } from "../../messages/messages.js";
import { Field } from "../../ui/field.tsx";
import { useAppForm } from "../../ui/form/app-form.tsx";
import { useFieldContext } from "../../ui/form/contexts.ts";
import { Switch } from "../../ui/switch.tsx";
import { TimeSelect } from "../../ui/time-select.tsx";
import { formatMinuteOfDay } from "../language/format.ts";

/** Most people's choice. */
const DEFAULT_QUIET_HOURS: QuietHours = { fromMinute: 22 * 60, toMinute: 6 * 60 };

const SAVE_DELAY_MS = 1200;

/** Hours in which the driver gets only the notifications that need them. */
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
      {quietHours && <QuietTimes quietHours={quietHours} onChange={onChange} />}
    </div>
  );
}

/** Saves automatically: a moment after the last change, or when a field or the screen is left. */
function QuietTimes({
  quietHours,
  onChange,
}: {
  quietHours: QuietHours;
  onChange: (quietHours: QuietHours) => void;
}) {
  const form = useAppForm({ defaultValues: quietHours });
  const save = () => {
    const { isDirty, values } = form.state;
    if (!isDirty) return;
    const next = { ...values };
    // From here on it shows what is saved: a change that the server refuses is taken back.
    form.reset(next, { keepDefaultValues: true });
    if (next.fromMinute !== quietHours.fromMinute || next.toMinute !== quietHours.toMinute) onChange(next);
  };
  const listeners = { onChange: save, onChangeDebounceMs: SAVE_DELAY_MS, onBlur: save, onUnmount: save };
  return (
    <div className="flex max-w-80 flex-wrap gap-3">
      <form.AppField name="fromMinute" listeners={listeners}>
        {() => <TimeField label={m.notify_quiet_from()} />}
      </form.AppField>
      <form.AppField name="toMinute" listeners={listeners}>
        {() => <TimeField label={m.notify_quiet_to()} />}
      </form.AppField>
    </div>
  );
}

function TimeField({ label }: { label: string }) {
  const { state, handleChange, handleBlur } = useFieldContext<number>();
  return (
    <div className="min-w-34 flex-1">
      <Field label={label}>
        {(inputProps) => (
          <TimeSelect
            {...inputProps}
            value={state.value}
            onChange={handleChange}
            onBlur={handleBlur}
            format={formatMinuteOfDay}
          />
        )}
      </Field>
    </div>
  );
}
