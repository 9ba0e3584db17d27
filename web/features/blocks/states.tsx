import { m } from "../../messages/messages.js";
import { Pending } from "../../ui/pending.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";
import { errorMessage } from "../language/error-messages.ts";

/** While the screen's code loads. */
export function BlocksPending() {
  return (
    <Screen title={m.blocks_title()}>
      <Pending>
        <Skeleton className="h-12" />
        <ListSkeleton />
      </Pending>
    </Screen>
  );
}

/** While one of the lists loads. */
export function BlockListPending() {
  return (
    <Pending>
      <ListSkeleton />
    </Pending>
  );
}

function ListSkeleton() {
  return (
    <output className="grid gap-2">
      <span className="sr-only">{m.loading()}</span>
      {["a", "b", "c", "d", "e", "f", "g", "h"].map((row) => (
        <Skeleton key={row} className="h-16" />
      ))}
    </output>
  );
}

/** In place of a list of blocks that couldn't be loaded. */
export function BlockListError(caught: CaughtError) {
  const { error } = caught;
  return (
    <div className="card">
      <LoadError {...caught} title={m.blocks_failed_title()}>
        {errorCodeOf(error) === "internal" ? m.blocks_failed_unknown() : errorMessage(error)}
        <br />
        {m.blocks_failed_text()}
      </LoadError>
    </div>
  );
}
