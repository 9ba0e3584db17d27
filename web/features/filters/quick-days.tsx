import { m } from "../../messages/messages.js";
import { useNow } from "../../ui/use-now.ts";
import { withDay, type Draft } from "./draft.ts";
import { formatDaySchedule } from "./part-labels.ts";
import { formatWeekday } from "../language/format.ts";

/** The seven days as buttons, pressed where the driver works; today's hours beneath. */
export function QuickDays({ draft, onChange }: { draft: Draft; onChange: (next: Draft) => void }) {
  const now = useNow(60_000);
  // In the device's time zone, which is the driver's. getDay counts from Sunday.
  const today = (new Date(now).getDay() + 6) % 7;
  const hours = draft.schedule[today];
  return (
    <fieldset>
      <legend className="font-semibold">{m.filters_short_days()}</legend>
      <div className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(max(44px,2.5rem),1fr))] gap-1.5">
        {draft.schedule.map((day, index) => {
          const name = formatWeekday(index + 1);
          return (
            <button
              key={name}
              type="button"
              aria-pressed={day.active}
              aria-current={index === today ? "date" : undefined}
              onClick={() => onChange(withDay(draft, index, { ...day, active: !day.active }))}
              className="grid h-12 min-w-0 place-items-center rounded-field border border-edge text-sm font-semibold text-soft line-through aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-ground aria-pressed:no-underline aria-[current=date]:ring-2 aria-[current=date]:ring-ink aria-[current=date]:ring-offset-2 aria-[current=date]:ring-offset-raised"
            >
              <span aria-hidden className="max-w-full truncate first-letter:uppercase">
                {formatWeekday(index + 1, "short").replace(".", "")}
              </span>
              <span className="sr-only">{m.week_day_active({ day: name })}</span>
            </button>
          );
        })}
      </div>
      {hours && (
        <p className="figures mt-3 text-sm text-soft">
          {m.filters_short_today({ hours: formatDaySchedule(hours) })}
        </p>
      )}
    </fieldset>
  );
}
