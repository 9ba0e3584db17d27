import { useSelector } from "@tanstack/react-store";
import { lazy, Suspense, type ComponentType } from "react";
import { m } from "../../messages/messages.js";
import { Sheet } from "../../ui/sheet.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { frameStore, openSheet } from "./frame-store.ts";

/** Not needed before it is opened. Where its code can't be had (offline, a new build), it says so. */
const FiltersInShort = lazy<ComponentType>(() =>
  import("../filters/filters-in-short.tsx").then(
    ({ FiltersInShort: Content }) => ({ default: Content }),
    () => ({ default: () => <p role="alert">{m.problem_network()}</p> }),
  ),
);

/** The filters that change from day to day, from the foot of a phone. */
export function FiltersSheet() {
  const isOpen = useSelector(frameStore, (open) => open === "filters");
  return (
    <Sheet open={isOpen} onClose={() => openSheet(null)} title={m.filters_short_title()}>
      <Suspense fallback={<Skeleton className="h-80" />}>
        <FiltersInShort />
      </Suspense>
    </Sheet>
  );
}
