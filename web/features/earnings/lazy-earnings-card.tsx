import { lazyOptional } from "../../ui/lazy-optional.ts";
import { m } from "../../messages/messages.js";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LoadBoundary } from "../errors/load-boundary.tsx";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";

/** Not needed for the first paint. If its chunk can't be fetched (offline, a new build), the dashboard goes without it. */
const EarningsCard = lazyOptional(async () => (await import("./earnings-card.tsx")).EarningsCard);

/** The earnings, which load and fail independently of the rest of the dashboard. */
export function LazyEarningsCard() {
  return (
    <LoadBoundary skeleton={<EarningsSkeleton />} errorComponent={EarningsError}>
      <EarningsCard />
    </LoadBoundary>
  );
}

function EarningsSkeleton() {
  return (
    <output className="block">
      <span className="sr-only">{m.earnings_loading()}</span>
      <Skeleton className="h-64 rounded-card" />
    </output>
  );
}

function EarningsError(caught: CaughtError) {
  return (
    <section className="card">
      <LoadError {...caught} isPart title={m.earnings_title()}>
        {m.earnings_failed()}
      </LoadError>
    </section>
  );
}
