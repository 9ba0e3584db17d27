import { useEffect, useRef } from "react";
import { toast } from "sonner";
import { m } from "../../messages/messages.js";
import { formatWeekday } from "../language/format.ts";
import { DayRow } from "./day-row.tsx";
import { copyDay, withDay, type Draft } from "./draft.ts";

/** The seven days, each with its hours. */
export function WeekEditor({ draft, onChange }: { draft: Draft; onChange: (next: Draft) => void }) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The browser looked for the anchor before the filters were loaded.
    if (location.hash === "#week") section.current?.scrollIntoView();
  }, []);
  const copy = (index: number, name: string) => {
    onChange(copyDay(draft, index));
    toast(m.week_copied({ day: name }));
  };
  return (
    <section ref={section} id="week" className="card scroll-mt-20 p-4 sm:p-5">
      <h2 className="text-xl">{m.week_title()}</h2>
      <p className="mt-1 max-w-prose text-sm text-soft">{m.week_text()}</p>
      <ul className="mt-3 divide-y divide-line">
        {draft.schedule.map((day, index) => {
          const name = formatWeekday(index + 1);
          return (
            <li key={name} data-testid={`day-${index + 1}`}>
              <DayRow
                name={name}
                day={day}
                onChange={(next) => onChange(withDay(draft, index, next))}
                onCopy={() => copy(index, name)}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
