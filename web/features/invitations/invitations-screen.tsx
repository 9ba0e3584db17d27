import { useSuspenseQuery } from "@tanstack/react-query";
import { invitationsQuery } from "../../api/queries/rewards.ts";
import { m } from "../../messages/messages.js";
import { Screen } from "../../ui/screen.tsx";
import { StaleNotice } from "../errors/stale-notice.tsx";
import { ServiceUntil } from "../payments/service-time.tsx";
import { useUser } from "../session/use-user.ts";
import { InvitationList } from "./invitation-list.tsx";
import { InviteForm } from "./invite-form.tsx";
import { ShareLink } from "./share-link.tsx";
import { useLiveService } from "./use-live-service.ts";

/** Inviting friends, and what came of it. */
export function InvitationsScreen() {
  useLiveService();
  const query = useSuspenseQuery(invitationsQuery);
  const { data } = query;
  const { expirationDateTimestamp, humanTimezone: timeZone } = useUser();
  return (
    <Screen width="cards" title={m.nav_invitations()} text={m.invite_text()}>
      <StaleNotice query={query} />
      <output className="block">
        <ServiceUntil until={expirationDateTimestamp || null} timeZone={timeZone} />
      </output>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <InviteForm />
        <ShareLink link={data.link} />
        <InvitationList invitations={data.invitations} />
      </div>
    </Screen>
  );
}
