import { m } from "../../messages/messages.js";
import { Pending } from "../../ui/pending.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** While the filters load. */
export function FiltersPending() {
  return (
    <Screen title={m.filters_title()} text={m.filters_lead()}>
      <Pending>
        <output className="grid gap-4">
          <span className="sr-only">{m.loading()}</span>
          <Skeleton className="h-28 rounded-card" />
          <Skeleton className="h-28 rounded-card" />
          <Skeleton className="h-36 rounded-card" />
          <Skeleton className="h-96 rounded-card" />
        </output>
      </Pending>
    </Screen>
  );
}

/** While the warehouses are fetched again. */
export function WarehousesSkeleton() {
  return (
    <output className="grid gap-3">
      <span className="sr-only">{m.loading()}</span>
      <Skeleton className="h-28 rounded-card" />
      <Skeleton className="h-28 rounded-card" />
    </output>
  );
}
