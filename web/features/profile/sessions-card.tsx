import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { MonitorSmartphone } from "lucide-react";
import { toast } from "../../ui/toast.ts";
import type { Session } from "../../../worker/contract/account/security.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { endOtherSessions, endSession, sessionsQuery } from "../../api/queries/account.ts";
import { calendarQuery } from "../../api/queries/calendar.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { handFocusOn } from "../../ui/hand-focus-on.ts";
import { FormError } from "../../ui/notices.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use-now.ts";
import { LoadBoundary, LoadError, type CaughtError } from "../errors/load-error.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { formatCount, formatCountry, formatTime } from "../language/format.ts";
import { deviceLabel } from "./activity-labels.ts";
import { ClosedProfileCard } from "./profile-card.tsx";

/** Where the driver is signed in; each other device can be signed out. */
export function SessionsCard({ user }: { user: User }) {
  const { data: sessions } = useQuery(sessionsQuery);
  return (
    <ClosedProfileCard title={m.sessions_title()} state={sessions ? countLabel(sessions.length) : "\u00a0"}>
      <LoadBoundary skeleton={<Skeleton className="h-32" />} errorComponent={SessionsError}>
        <Sessions timeZone={user.humanTimezone} />
      </LoadBoundary>
    </ClosedProfileCard>
  );
}

function countLabel(count: number): string {
  return m.sessions_count({ count, figure: formatCount(count) });
}

function Sessions({ timeZone }: { timeZone: string }) {
  const { data: sessions } = useSuspenseQuery(sessionsQuery);
  const queryClient = useQueryClient();
  const now = useNow(MINUTE_MS);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (ended: Session | null) => (ended ? endSession(ended.id) : endOtherSessions()),
    onSuccess: async (_, ended) => {
      // One whose calendar link it was is paused with it.
      void queryClient.invalidateQueries({ queryKey: calendarQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      toast(ended ? m.sessions_ended({ device: deviceLabel(ended) }) : m.sessions_others_ended());
    },
  });
  const end = (ended: Session | null) => isPending || mutate(ended);
  return (
    <>
      <ul className="divide-y divide-line">
        {sessions.map((session) => (
          <li
            key={session.id}
            ref={handFocusOn}
            className="flex items-center justify-between gap-4 py-3 first:pt-0 last:pb-0"
          >
            <div className="min-w-0">
              <p className="font-semibold wrap-anywhere">{deviceLabel(session)}</p>
              <p className="text-sm text-soft figures">
                {session.isCurrent
                  ? m.sessions_here()
                  : m.sessions_seen({ time: formatTime(session.lastSeenAt, { timeZone, now }) })}
                {session.country !== null && ` · ${formatCountry(session.country)}`}
                {session.takesPush === true && ` · ${m.sessions_takes_push()}`}
                {session.hasCalendar === true && ` · ${m.sessions_has_calendar()}`}
              </p>
            </div>
            {!session.isCurrent && (
              <Button
                className="shrink-0"
                aria-label={m.sessions_end_device({ device: deviceLabel(session) })}
                aria-disabled={isPending}
                onClick={() => end(session)}
              >
                {m.sessions_end()}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {error && <FormError title={m.sessions_end_failed()} hint={errorMessage(error)} />}
      {sessions.length > 2 && (
        <Button
          ref={handFocusOn}
          variant="danger"
          className="justify-self-start"
          aria-disabled={isPending}
          onClick={() => end(null)}
        >
          {m.sessions_end_others()}
        </Button>
      )}
    </>
  );
}

function SessionsError(caught: CaughtError) {
  return <LoadError {...caught} isPart Icon={MonitorSmartphone} title={m.sessions_failed()} />;
}
