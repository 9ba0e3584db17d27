import { m } from "../../messages/messages.js";
import { Pending } from "../../ui/pending.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";

/** While a week loads. */
export function WeekPending() {
  return (
    <Screen width="reading" title={m.your_week_title()}>
      <Pending>
        <output className="grid gap-4">
          <span className="sr-only">{m.loading()}</span>
          <Skeleton className="h-14 rounded-card" />
          <Skeleton className="h-64 rounded-card" />
          <Skeleton className="h-40 rounded-card" />
        </output>
      </Pending>
    </Screen>
  );
}

/** In place of a week. */
export function WeekError(caught: CaughtError) {
  return (
    <Screen width="reading" title={m.your_week_title()}>
      <div className="card">
        <LoadError {...caught} title={m.your_week_failed()} />
      </div>
    </Screen>
  );
}
