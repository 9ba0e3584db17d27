import { m } from "../../messages/messages.js";
import { Pending } from "../../ui/pending.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** The filters, before they are loaded. */
export function FiltersPending() {
  return (
    <Screen width="reading" title={m.filters_title()} text={m.filters_lead()}>
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

/** The warehouses alone, while they are asked for again. */
export function WarehousesSkeleton() {
  return (
    <output className="grid gap-3">
      <span className="sr-only">{m.loading()}</span>
      <Skeleton className="h-28 rounded-card" />
      <Skeleton className="h-28 rounded-card" />
    </output>
  );
}
