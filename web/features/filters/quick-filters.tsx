import { useSuspenseQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { filtersQuery, warehousesQuery } from "../../api/queries/filters.ts";
import { useCurrency } from "../../api/queries/use-config.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { useStaysInView } from "../../ui/use-stays-in-view.ts";
import { restoreDraft } from "./draft-store.ts";
import { MergeSheet } from "./merge-sheet.tsx";
import { SaveButtons } from "./save-buttons.tsx";
import { useFiltersDraft, useSaveFilters } from "./use-filters-draft.ts";
import { openSheet } from "../ui-state/ui-store.ts";
import { errorMessage } from "../language/error-messages.ts";
import { QuickDays } from "./quick-days.tsx";
import { QuickMinimums } from "./quick-minimums.tsx";

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
