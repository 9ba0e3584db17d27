import { m } from "../../messages/messages.js";
import { Skeleton } from "../../ui/skeleton.tsx";

/** The dashboard before its first snapshot. */
export function DashboardSkeleton() {
  return (
    <output className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <span className="sr-only">{m.live_connecting()}</span>
      <Skeleton className="h-64 rounded-card" />
      <div className="grid gap-4 lg:row-span-2 lg:content-start">
        <Skeleton className="h-96 rounded-card" />
        <Skeleton className="h-32 rounded-card max-lg:order-last" />
      </div>
      <Skeleton className="h-96 rounded-card" />
    </output>
  );
}
