import { m } from "../../messages/messages.js";
import { Screen } from "../../ui/screen.tsx";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";

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
