import { m } from "../../messages/messages.js";
import { Skeleton } from "../../ui/skeleton.tsx";

/** The dashboard before its first snapshot. */
export function DashboardSkeleton() {
  return (
    <output className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_min(22rem,38%)]">
      <span className="sr-only">{m.live_connecting()}</span>
      <span className="@container grid content-start gap-4">
        <span className="grid gap-4 @min-[44rem]:grid-cols-2">
          <Skeleton className="h-64 rounded-card" />
          <NextBlockSkeleton />
        </span>
        <FeedSkeleton />
      </span>
      <TodaySkeleton />
    </output>
  );
}

export function NextBlockSkeleton() {
  return <Skeleton className="h-96 rounded-card" />;
}

export function FeedSkeleton() {
  return <Skeleton className="h-96 rounded-card" />;
}

export function TodaySkeleton() {
  return <Skeleton className="h-34 rounded-card" />;
}
