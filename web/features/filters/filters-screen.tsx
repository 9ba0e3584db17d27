import { useSuspenseQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { filtersQuery } from "../../api/queries/filters.ts";
import { useCurrency } from "../../api/queries/use-config.ts";
import { m } from "../../messages/messages.js";
import { Screen } from "../../ui/screen.tsx";
import { SpotNotice } from "../spots/spot-notice.tsx";
import { StaleNotice } from "../errors/stale-notice.tsx";
import { LoadBoundary } from "../errors/load-boundary.tsx";
import { useLeadOn } from "../start/use-lead-on.ts";
import { restoreDraft } from "./draft-store.ts";
import { WarehousesError } from "./filters-error.tsx";
import { WarehousesSkeleton } from "./filters-skeleton.tsx";
import { FilterGapsNotice } from "./filter-gaps-notice.tsx";
import { GeneralMinimum } from "./general-minimum.tsx";
import { SaveBar } from "./save-bar.tsx";
import { useFiltersDraft, useSaveFilters } from "./use-filters-draft.ts";
import { WarehouseList } from "./warehouse-list.tsx";
import { WeekEditor } from "./week-editor.tsx";

/** Which blocks to capture, where and when. On a desk the week stands beside the warehouses. */
export function FiltersScreen() {
  useEffect(restoreDraft, []);
  const { draft, change: onChange, issues, isChanged } = useFiltersDraft();
  const saving = useSaveFilters({ onSaved: useLeadOn() });
  const editing = {
    draft,
    onChange,
    issues: { ...saving.refused, ...issues },
    currency: useCurrency(),
  };
  return (
    <Screen title={m.filters_title()} text={m.filters_lead()}>
      <StaleNotice query={useSuspenseQuery(filtersQuery)} />
      <SpotNotice />
      <FilterGapsNotice draft={draft} />
      {/* Two columns where both have room for their text, however large it is. */}
      <div className="@container">
        <div className="grid grid-cols-1 items-start gap-4 @min-[56rem]:grid-cols-[minmax(0,1fr)_25rem]">
          <div className="grid grid-cols-1 gap-4">
            <LoadBoundary skeleton={<WarehousesSkeleton />} errorComponent={WarehousesError}>
              <WarehouseList {...editing} />
            </LoadBoundary>
            <GeneralMinimum {...editing} />
          </div>
          <WeekEditor draft={draft} onChange={onChange} />
        </div>
      </div>
      {isChanged && <SaveBar draft={draft} issues={issues} saving={saving} />}
    </Screen>
  );
}
