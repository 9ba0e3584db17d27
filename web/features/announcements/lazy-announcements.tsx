import { lazy, Suspense, type ComponentType } from "react";

/** Rarely shown, so not in the dashboard's own code. Where it can't be fetched, nothing is announced. */
const Announcements = lazy<ComponentType>(() =>
  import("./announcements.tsx").then(
    (loaded) => ({ default: loaded.Announcements }),
    () => ({ default: () => null }),
  ),
);

export function LazyAnnouncements() {
  return (
    <Suspense fallback={null}>
      <Announcements />
    </Suspense>
  );
}
