import { CatchBoundary } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { lazy, Suspense } from "react";
import { m } from "../../messages/messages.js";
import { Sheet } from "../../ui/sheet.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Crash } from "./crash.tsx";
import { closeSheet, frameStore } from "./frame-store.ts";

const FiltersInShort = lazy(async () => {
  const { FiltersInShort } = await import("../filters/filters-in-short.tsx");
  return { default: FiltersInShort };
});

/** The driver's rules, looked up without leaving the screen. */
export function FiltersSheet() {
  const isOpen = useSelector(frameStore, (state) => state.filtersSheetOpen);
  return (
    <Sheet open={isOpen} onClose={() => closeSheet("filters")} title={m.filters_short_title()}>
      <CatchBoundary getResetKey={() => isOpen} errorComponent={Crash}>
        <Suspense fallback={<Skeleton className="h-40" />}>
          <FiltersInShort />
        </Suspense>
      </CatchBoundary>
    </Sheet>
  );
}
