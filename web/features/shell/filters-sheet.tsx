import { CatchBoundary } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { lazy, Suspense } from "react";
import { m } from "../../messages/messages.js";
import { Sheet } from "../../ui/sheet.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ScreenError } from "../errors/screen-error.tsx";
import { closeSheet, uiStore } from "../ui-state/ui-store.ts";

const QuickFilters = lazy(async () => {
  const { QuickFilters } = await import("../filters/quick-filters.tsx");
  return { default: QuickFilters };
});

/** The driver's rules, looked up without leaving the screen. */
export function FiltersSheet() {
  const isOpen = useSelector(uiStore, (state) => state.filtersSheetOpen);
  return (
    <Sheet open={isOpen} onClose={() => closeSheet("filters")} title={m.filters_short_title()}>
      <CatchBoundary getResetKey={() => isOpen} errorComponent={ScreenError}>
        <Suspense fallback={<Skeleton className="h-40" />}>
          <QuickFilters />
        </Suspense>
      </CatchBoundary>
    </Sheet>
  );
}
