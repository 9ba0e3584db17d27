import { m } from "../../messages/messages.js";
import { Pending } from "../../ui/pending.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** While the status of the linking loads. */
export function LinkingPending() {
  return (
    <Pending>
      <Screen width="form">
        <output className="contents">
          <span className="sr-only">{m.loading()}</span>
          <Skeleton className="h-6" />
          <Skeleton className="h-10 w-3/4" />
          <Skeleton className="h-40" />
        </output>
      </Screen>
    </Pending>
  );
}
