import { m } from "../../messages/messages.js";
import { Pending } from "../../ui/pending.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";
import { errorText } from "../language/error-messages.ts";

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

/** In place of a linking step: the status of the linking couldn't be loaded. */
export function LinkingError(caught: CaughtError) {
  return (
    <LoadError {...caught} heading="h1" title={m.linking_read_failed_title()}>
      {errorText(caught.error)} {m.linking_read_failed_text()}
    </LoadError>
  );
}
