import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useEffect } from "react";
import { findFilterGaps } from "../../../db/shapes/filter-completeness.ts";
import { warehousesQuery } from "../../api/queries.ts";
import { useCurrency } from "../../api/use-config.ts";
import { m } from "../../messages/messages.js";
import { Banner } from "../../ui/banner.tsx";
import { Screen } from "../../ui/screen.tsx";
import { SpotNotice } from "../spots/spot-notice.tsx";
import { LoadBoundary } from "../errors/load-boundary.tsx";
import { restoreDraft } from "./draft-store.ts";
import { WarehousesError } from "./filters-error.tsx";
import { WarehousesSkeleton } from "./filters-skeleton.tsx";
import { gapMessages } from "./gap-messages.ts";
import { GeneralMinimum } from "./general-minimum.tsx";
import { SaveBar } from "./save-bar.tsx";
import { useFiltersDraft } from "./use-filters-draft.ts";
import { WarehouseList } from "./warehouse-list.tsx";
import { WeekEditor } from "./week-editor.tsx";

/** Which blocks to capture, where and when. */
export function FiltersScreen() {
  useEffect(restoreDraft, []);
  const { draft, change: onChange, issues, isChanged } = useFiltersDraft();
  const known = useQuery(warehousesQuery).data?.warehouses;
  const gaps = findFilterGaps(
    draft,
    known?.length ? new Set(known.map(({ warehouseId }) => warehouseId)) : null,
  );
  const hasSelected = draft.warehouses.some(({ selected }) => selected);
  const editing = { draft, onChange, issues, currency: useCurrency() };
  return (
    <Screen width="reading" title={m.filters_title()} text={m.filters_lead()}>
      <SpotNotice />
      {hasSelected && Object.keys(gaps).length > 0 && (
        <Banner Icon={TriangleAlert}>
          <span className="block font-semibold">{m.filters_gap_title()}</span>
          {gapMessages(gaps)}
        </Banner>
      )}
      <LoadBoundary skeleton={<WarehousesSkeleton />} errorComponent={WarehousesError}>
        <WarehouseList {...editing} />
      </LoadBoundary>
      <GeneralMinimum {...editing} />
      <WeekEditor draft={draft} onChange={onChange} />
      {isChanged && <SaveBar draft={draft} issues={issues} />}
    </Screen>
  );
}
