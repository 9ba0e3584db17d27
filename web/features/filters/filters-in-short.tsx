import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import type { FiltersAnswer } from "../../../worker/contract/filters.ts";
import type { Warehouse } from "../../../durable/engine/types.ts";
import { configQuery, filtersQuery, warehousesQuery } from "../../api/queries.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { keepDraft, restoreDraft } from "./draft-store.ts";
import { MergeSheet } from "./merge-sheet.tsx";
import { useFiltersDraft, useSaveFilters } from "./use-filters-draft.ts";
import { openSheet } from "../frame/frame-store.ts";
import { sayProblem } from "../language/problem-words.ts";
import { ShortDays } from "./short-days.tsx";
import { ShortMinimums } from "./short-minimums.tsx";

/** The days and the minimums, and the way to all the rest. The same draft as the whole screen's. */
export function FiltersInShort() {
  const filters = useQuery(filtersQuery);
  const warehouses = useQuery(warehousesQuery);
  if (filters.data && warehouses.data) {
    return <Editor saved={filters.data} warehouses={warehouses.data.warehouses} />;
  }
  if (!filters.isError && !warehouses.isError) return <Skeleton className="h-80" />;
  return (
    <div role="alert" className="grid gap-4">
      <p className="font-semibold">
        {filters.isError ? m.filters_failed_title() : m.warehouses_failed_title()}
      </p>
      <p className="text-soft">{sayProblem(filters.error ?? warehouses.error)}</p>
      <AllFilters />
    </div>
  );
}

function Editor({ saved, warehouses }: { saved: FiltersAnswer; warehouses: readonly Warehouse[] }) {
  useEffect(restoreDraft, []);
  const { draft, change, faults, isChanged } = useFiltersDraft(saved, warehouses);
  const { save, conflict, saveMerged, decideLater, isSaving, failure } = useSaveFilters({
    onSaved: () => openSheet(null),
  });
  const currency = useQuery(configQuery).data?.currency ?? "USD";
  const isFaulty = Object.keys(faults).length > 0 || !draft.warehouses.some((rule) => rule.selected);
  return (
    <div className="grid gap-5" data-testid="filters-in-short">
      <ShortDays draft={draft} change={change} />
      <ShortMinimums draft={draft} change={change} currency={currency} warehouses={warehouses} />
      <div className="sticky bottom-0 -mx-5 -mb-5 grid gap-2 border-t border-line bg-raised px-5 pt-3 pb-4">
        {failure !== null && (
          <p role="alert" className="text-sm font-semibold text-bad">
            {sayProblem(failure)}
          </p>
        )}
        <output className="text-sm text-soft">
          {isFaulty ? m.filters_short_faulty() : isChanged ? m.save_kept() : m.filters_short_same()}
        </output>
        <div className="flex flex-wrap justify-end gap-2">
          <span className="mr-auto">
            <AllFilters />
          </span>
          {isChanged && (
            <Button look="quiet" disabled={isSaving} onClick={() => keepDraft(null)}>
              {m.save_undo()}
            </Button>
          )}
          <Button
            look="primary"
            className="min-w-28"
            disabled={!isChanged || isSaving || isFaulty}
            onClick={save}
          >
            {isSaving ? m.save_saving() : m.save_button()}
          </Button>
        </div>
      </div>
      <MergeSheet conflict={conflict} onMerge={saveMerged} onLater={decideLater} />
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
