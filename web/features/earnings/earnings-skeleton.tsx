import { m } from "../../messages/messages.js";
import { Skeleton } from "../../ui/skeleton.tsx";

/** The earnings before they have come. */
export function EarningsSkeleton() {
  return (
    <output className="block">
      <span className="sr-only">{m.earnings_loading()}</span>
      <Skeleton className="h-64 rounded-card" />
    </output>
  );
}
