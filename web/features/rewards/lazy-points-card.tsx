import { Suspense } from "react";
import { lazyOptional } from "../../ui/lazy-optional.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

/** Not needed for the first paint. If its chunk can't be fetched, the dashboard goes without it. */
const PointsCard = lazyOptional(async () => (await import("./points-card.tsx")).PointsCard);

/** The points on the dashboard. */
export function LazyPointsCard() {
  return (
    <Suspense fallback={<Skeleton className="h-18 rounded-card" />}>
      <PointsCard />
    </Suspense>
  );
}
