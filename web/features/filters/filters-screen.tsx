import { useEffect } from "react";
import { useCurrency } from "../../api/use-config.ts";
import { m } from "../../messages/messages.js";
import { Screen } from "../../ui/screen.tsx";
import { SpotNotice } from "../spots/spot-notice.tsx";
import { LoadBoundary } from "../errors/load-boundary.tsx";
import { restoreDraft } from "./draft-store.ts";
import { WarehousesError } from "./filters-error.tsx";
import { WarehousesSkeleton } from "./filters-skeleton.tsx";
import { GeneralMinimum } from "./general-minimum.tsx";
import { SaveBar } from "./save-bar.tsx";
import { useFiltersDraft } from "./use-filters-draft.ts";
import { WarehouseList } from "./warehouse-list.tsx";
import { WeekEditor } from "./week-editor.tsx";

/** Which blocks to capture, where and when. */
export function FiltersScreen() {
  useEffect(restoreDraft, []);
  const { draft, change: onChange, issues, isChanged } = useFiltersDraft();
  const editing = { draft, onChange, issues, currency: useCurrency() };
  return (
    <Screen width="reading" title={m.filters_title()} text={m.filters_lead()}>
      <SpotNotice />
      <LoadBoundary skeleton={<WarehousesSkeleton />} errorComponent={WarehousesError}>
        <WarehouseList {...editing} />
      </LoadBoundary>
      <GeneralMinimum {...editing} />
      <WeekEditor draft={draft} onChange={onChange} />
      {isChanged && <SaveBar draft={draft} issues={issues} />}
    </Screen>
  );
}
