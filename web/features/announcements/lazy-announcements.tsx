import { Suspense } from "react";
import { lazyOptional } from "../../ui/lazy-optional.ts";

/** Rarely shown, so not in the dashboard's own code. Where it can't be fetched, nothing is announced. */
const Announcements = lazyOptional(async () => (await import("./announcements.tsx")).Announcements);

export function LazyAnnouncements() {
  return (
    <Suspense fallback={null}>
      <Announcements />
    </Suspense>
  );
}
