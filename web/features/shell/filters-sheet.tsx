import { useSelector } from "@tanstack/react-store";
import { lazy } from "react";
import { m } from "../../messages/messages.js";
import { Sheet } from "../../ui/sheet.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LoadBoundary } from "../errors/load-boundary.tsx";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";
import { closeSheet, uiStore } from "../ui-state/ui-store.ts";

const QuickFilters = lazy(async () => {
  const { QuickFilters } = await import("../filters/quick-filters.tsx");
  return { default: QuickFilters };
});

/** Days and minimums in a sheet, without leaving the screen. */
export function FiltersSheet() {
  const isOpen = useSelector(uiStore, (state) => state.filtersSheetOpen);
  return (
    <Sheet open={isOpen} onClose={() => closeSheet("filters")} title={m.filters_short_title()}>
      <LoadBoundary skeleton={<Skeleton className="h-80" />} errorComponent={FiltersError}>
        <QuickFilters />
      </LoadBoundary>
    </Sheet>
  );
}

function FiltersError(caught: CaughtError) {
  return <LoadError {...caught} title={m.filters_failed_title()} />;
}
