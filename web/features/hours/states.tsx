import { m } from "../../messages/messages.js";
import { Pending } from "../../ui/pending.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";

/** While the hours load. */
export function HoursPending() {
  return (
    <Screen title={m.nav_hours()} text={m.hours_text()}>
      <Pending>
        <output className="grid grid-cols-1 gap-4">
          <span className="sr-only">{m.loading()}</span>
          <Skeleton className="h-24 rounded-card" />
          <Skeleton className="h-112 rounded-card" />
        </output>
      </Pending>
    </Screen>
  );
}

/** In place of the hours. */
export function HoursError(caught: CaughtError) {
  return (
    <Screen width="reading" title={m.nav_hours()} text={m.hours_text()}>
      <div className="card">
        <LoadError {...caught} title={m.hours_failed()} />
      </div>
    </Screen>
  );
}
