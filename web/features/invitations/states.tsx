import { m } from "../../messages/messages.js";
import { Pending } from "../../ui/pending.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";

/** While the invitations load. */
export function InvitationsPending() {
  return (
    <Screen width="cards" title={m.nav_invitations()}>
      <Pending>
        <output className="grid grid-cols-1 gap-4 lg:grid-cols-2">
          <span className="sr-only">{m.loading()}</span>
          <Skeleton className="h-48 rounded-card" />
          <Skeleton className="h-72 rounded-card" />
        </output>
      </Pending>
    </Screen>
  );
}

/** In place of the invitations. */
export function InvitationsError(caught: CaughtError) {
  return (
    <Screen width="cards" title={m.nav_invitations()}>
      <div className="card">
        <LoadError {...caught} title={m.invite_list_failed()} />
      </div>
    </Screen>
  );
}
