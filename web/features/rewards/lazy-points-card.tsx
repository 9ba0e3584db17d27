import { lazy, Suspense, type ComponentType } from "react";
import { Skeleton } from "../../ui/skeleton.tsx";

/** Not needed for the first paint. If its chunk can't be fetched, the dashboard goes without it. */
const PointsCard = lazy<ComponentType>(() =>
  import("./points-card.tsx").then(
    ({ PointsCard: Card }) => ({ default: Card }),
    () => ({ default: () => null }),
  ),
);

/** The points on the dashboard. */
export function LazyPointsCard() {
  return (
    <Suspense fallback={<Skeleton className="h-18 rounded-card" />}>
      <PointsCard />
    </Suspense>
  );
}
