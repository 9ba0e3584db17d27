import { useSuspenseQuery, useQueryClient } from "@tanstack/react-query";
import { invitationsQuery } from "../../api/queries/rewards.ts";
import { m } from "../../messages/messages.js";
import { Screen } from "../../ui/screen.tsx";
import { StaleNotice } from "../errors/stale-notice.tsx";
import { ServiceUntil } from "../payments/service-time.tsx";
import { useUser } from "../session/use-user.ts";
import { InvitationList } from "./invitation-list.tsx";
import { InviteForm } from "./invite-form.tsx";
import { ShareLink } from "./share-link.tsx";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useRef } from "react";
import { connectLive, liveStore } from "../../api/live/live.ts";
import { userQuery } from "../../api/queries/user.ts";

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

/** Keeps the screen current while it is open: free days that arrive change the end of service, which the object reports. */
function useLiveService(): void {
  const queryClient = useQueryClient();
  useEffect(connectLive, []);
  const serviceUntil = useSelector(liveStore, ({ snapshot, isRestored }) =>
    isRestored ? undefined : snapshot?.serviceUntil,
  );
  const known = useRef(serviceUntil);
  useEffect(() => {
    const isNews = known.current !== undefined && known.current !== serviceUntil;
    known.current = serviceUntil;
    if (!isNews) return;
    void queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: userQuery.queryKey });
  }, [queryClient, serviceUntil]);
}
