import { useSuspenseQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { filtersQuery, warehousesQuery } from "../../api/queries/filters.ts";
import { useCurrency } from "../../api/queries/use-config.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { useStaysInView } from "../../ui/edge-bar.ts";
import { restoreDraft } from "./draft-store.ts";
import { MergeSheet } from "./merge-sheet.tsx";
import { SaveButtons } from "./save-buttons.tsx";
import { useFiltersDraft, useSaveFilters } from "./use-filters-draft.ts";
import { openSheet } from "../ui-state/ui-store.ts";
import { errorMessage } from "../language/error-messages.ts";
import { QuickMinimums } from "./quick-minimums.tsx";
import { useNow } from "../../ui/use-now.ts";
import { dayOn, todayAt, weekdayOfDate } from "./dates/dates.ts";
import { withDay, type Draft } from "./draft.ts";
import { formatDaySchedule } from "./schedule-window.ts";
import { formatWeekday } from "../language/format.ts";

/** The days and the minimums, with a link to all filters. Edits the same draft as the filters screen. */
export function QuickFilters() {
  useEffect(restoreDraft, []);
  // Suspends for both at once, not for one after the other.
  const [{ data }] = useSuspenseQueries({ queries: [warehousesQuery, filtersQuery] });
  const { draft, change, issues, isChanged } = useFiltersDraft();
  const { save, discard, conflict, saveMerged, dismissConflict, isSaving, failure } = useSaveFilters({
    onSaved: () => openSheet(null),
  });
  const currency = useCurrency();
  const { ref, staysInView } = useStaysInView();
  const isInvalid = Object.keys(issues).length > 0 || !draft.warehouses.some((rule) => rule.selected);
  return (
    <div className="grid grid-cols-1 gap-5" data-testid="quick-filters">
      <QuickDays draft={draft} onChange={change} />
      <QuickMinimums draft={draft} onChange={change} currency={currency} warehouses={data.warehouses} />
      <div
        ref={ref}
        className={`${staysInView ? "sticky bottom-0" : ""} -mx-5 -mb-5 grid gap-2 border-t border-line bg-raised px-5 pt-3 pb-4`}
      >
        {failure !== null && (
          <p role="alert" className="text-sm font-semibold text-bad">
            {errorMessage(failure)}
          </p>
        )}
        <output className="text-sm text-soft">
          {isInvalid ? m.filters_short_faulty() : isChanged ? m.save_kept() : m.filters_short_same()}
        </output>
        <div className="flex flex-wrap justify-end gap-2">
          <span className="mr-auto">
            <AllFilters />
          </span>
          <SaveButtons
            isChanged={isChanged}
            isInvalid={isInvalid}
            isSaving={isSaving}
            onSave={save}
            onDiscard={discard}
          />
        </div>
      </div>
      <MergeSheet conflict={conflict} onMerge={saveMerged} onLater={dismissConflict} />
    </div>
  );
}

function AllFilters() {
  return (
    <Link to="/flex/filters" onClick={() => openSheet(null)} className={buttonClass("plain")}>
      {m.filters_short_all()}
    </Link>
  );
}

/** The seven days as buttons, pressed where the driver works; today's hours beneath. */
function QuickDays({ draft, onChange }: { draft: Draft; onChange: (next: Draft) => void }) {
  const now = useNow(60_000);
  const date = todayAt(now);
  const today = weekdayOfDate(date) - 1;
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
      <p className="figures mt-3 text-sm text-soft">
        {m.filters_short_today({ hours: formatDaySchedule(dayOn(draft, date)) })}
      </p>
    </fieldset>
  );
}
