import { lazy, Suspense, type ComponentType } from "react";
import { EarningsSkeleton } from "./earnings-skeleton.tsx";

/** Not needed at first paint. Where its code can't be had (offline, a new build), the rest of the dashboard stays. */
const EarningsCard = lazy<ComponentType>(() =>
  import("./earnings-card.tsx").then(
    ({ EarningsCard: Card }) => ({ default: Card }),
    () => ({ default: () => null }),
  ),
);

/** Where the earnings come to stand. */
export function LazyEarningsCard() {
  return (
    <Suspense fallback={<EarningsSkeleton />}>
      <EarningsCard />
    </Suspense>
  );
}
