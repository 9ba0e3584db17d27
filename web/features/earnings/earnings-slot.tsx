import { lazy, Suspense } from "react";
import { m } from "../../messages/messages.js";
import { Skeleton } from "../../ui/skeleton.tsx";

/** Not needed at first paint. Where its code can't be had (offline, a new build), the rest of the dashboard stays. */
const EarningsCard = lazy(() =>
  import("./earnings-card.tsx").then(
    ({ EarningsCard: Card }) => ({ default: Card }),
    () => ({ default: () => null }),
  ),
);

/** Where the earnings come to stand. */
export function EarningsSlot() {
  return (
    <Suspense fallback={<EarningsSkeleton />}>
      <EarningsCard />
    </Suspense>
  );
}

export function EarningsSkeleton() {
  return (
    <output className="block">
      <span className="sr-only">{m.earnings_loading()}</span>
      <Skeleton className="h-64 rounded-card" />
    </output>
  );
}
