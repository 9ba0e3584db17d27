import { CalendarOff, Plus, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { MAX_DATES } from "../../../../db/shapes/work/filters.ts";
import type { LocalDate } from "../../../../db/shapes/work/local-date.ts";
import { m } from "../../../messages/messages.js";
import { Button } from "../../../ui/button.tsx";
import type { Draft } from "../draft.ts";
import { formatCount } from "../../language/format.ts";
import { RemovedLine } from "../removed-line.tsx";
import { formatException, formatExceptionDates } from "./date-labels.ts";
import { DateSheet } from "./date-sheet.tsx";
import {
  canRestoreDate,
  keyOfDate,
  restoreDate,
  toRemovedDate,
  upcomingDates,
  withDate,
  withoutDate,
  type RemovedDate,
} from "./dates.ts";
import { serverNow } from "../../../early/server-clock.ts";

/** The dates that differ from the week, those to come: each with its way back. Without any it is one button. */
export function DateList({
  draft,
  onChange,
  today,
}: {
  draft: Draft;
  onChange: (next: Draft) => void;
  today: LocalDate;
}) {
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<RemovedDate | null>(null);
  const [restoredKey, setRestoredKey] = useState<string | null>(null);
  const change = (next: Draft, removing: RemovedDate | null = null) => {
    setRemoved(removing);
    onChange(next);
  };
  const dates = upcomingDates(draft.dates, today);
  return (
    <section aria-label={m.dates_title()} className="mt-2 border-t border-line pt-2">
      {dates.length > 0 && <h3 className="font-sans text-base font-semibold">{m.dates_title()}</h3>}
      <ul className="divide-y divide-line empty:hidden">
        {dates.map((date) => {
          const name = formatExceptionDates(date);
          return (
            <li key={keyOfDate(date)} className="flex items-center gap-3 py-1" data-testid="date-exception">
              <CalendarOff aria-hidden className="size-4.5 shrink-0 text-soft" />
              <p className="figures min-w-0 flex-1 py-1 text-sm">
                <span className="block font-semibold first-letter:uppercase">{name}</span>
                <span className="block text-soft">
                  {date.kind === "week" ? m.dates_week_own() : formatException(date)}
                </span>
              </p>
              <RemoveButton
                label={m.date_remove({ dates: name })}
                takesFocus={restoredKey === keyOfDate(date)}
                onRemove={() => change(withoutDate(draft, date), toRemovedDate(draft, date))}
              />
            </li>
          );
        })}
      </ul>
      {removed && canRestoreDate(draft, removed) && (
        <RemovedLine
          key={keyOfDate(removed.date)}
          text={m.date_removed({ dates: formatExceptionDates(removed.date) })}
          onUndo={() => {
            setRestoredKey(keyOfDate(removed.date));
            change(restoreDate(draft, removed));
          }}
        />
      )}
      {draft.dates.length > MAX_DATES && (
        <p role="alert" className="mt-1 text-sm font-semibold text-bad">
          {m.dates_too_many({ count: formatCount(MAX_DATES) })}
        </p>
      )}
      {dates.length < MAX_DATES && (
        <Button
          variant="quiet"
          className="-ml-4 text-left"
          data-testid="open-dates"
          onClick={() => setAdding(true)}
        >
          <Plus aria-hidden className="size-4.5 shrink-0" />
          {m.dates_add()}
        </Button>
      )}
      <DateSheet
        isOpen={isAdding}
        today={today}
        onClose={() => setAdding(false)}
        onAdd={(added) => {
          change(withDate(draft, added, serverNow()));
          setAdding(false);
        }}
      />
    </section>
  );
}

/** `takesFocus`: of a date that has just come back. */
function RemoveButton({
  label,
  takesFocus,
  onRemove,
}: {
  label: string;
  takesFocus: boolean;
  onRemove: () => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const focusesFirst = useRef(takesFocus);
  useEffect(() => {
    if (focusesFirst.current) button.current?.focus();
  }, []);
  return (
    <button
      ref={button}
      type="button"
      aria-label={label}
      onClick={onRemove}
      className="grid size-11 shrink-0 place-items-center rounded-field text-soft hover:bg-sunken"
    >
      <X aria-hidden className="size-4.5" />
    </button>
  );
}
