import { m } from "../../messages/messages.js";
import { Pending } from "../../ui/pending.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** While the screen's code loads. */
export function ProfilePending() {
  return (
    <Screen width="cards" title={m.profile_title()}>
      <Pending>
        <output className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          <span className="sr-only">{m.loading()}</span>
          <span className="grid gap-4">
            <Skeleton className="h-80 rounded-card" />
            <Skeleton className="h-40 rounded-card" />
          </span>
          <span className="grid gap-4">
            <Skeleton className="h-44 rounded-card" />
            <Skeleton className="h-20 rounded-card" />
            <Skeleton className="h-52 rounded-card" />
          </span>
        </output>
      </Pending>
    </Screen>
  );
}
