import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import type { SecurityItem } from "../../../worker/contract/account/security.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { securityEventsQuery } from "../../api/queries/account.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/notices.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use-now.ts";
import { LoadBoundary, LoadError, type CaughtError } from "../errors/load-error.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { formatCount, formatCountry, formatTime } from "../language/format.ts";
import { EVENT_LABELS, deviceLabel } from "./activity-labels.ts";
import { ClosedProfileCard } from "./profile-card.tsx";

/** Entries that need their owner's attention. */
const ALARMING: ReadonlySet<SecurityItem["event"]> = new Set([
  "sign_in_failed",
  "code_failed",
  "locked",
  "session_reused",
  "link_failed",
  "link_paused",
]);

/** Events of the account: sign-ins, failed tries, changes. */
export function ActivityCard({ user }: { user: User }) {
  return (
    <ClosedProfileCard title={m.activity_title()}>
      <LoadBoundary skeleton={<Skeleton className="h-48" />} errorComponent={ActivityError}>
        <Activity timeZone={user.humanTimezone} />
      </LoadBoundary>
    </ClosedProfileCard>
  );
}

function Activity({ timeZone }: { timeZone: string }) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useSuspenseInfiniteQuery(securityEventsQuery);
  const now = useNow(MINUTE_MS);
  const events = data.pages.flatMap(({ items }) => items);
  if (events.length === 0) return <p className="text-sm text-soft">{m.activity_empty()}</p>;
  return (
    <>
      <p className="text-sm text-soft">{m.activity_lead()}</p>
      <ul className="divide-y divide-line">
        {events.map((event) => (
          <li key={event.id} className="py-3 first:pt-0 last:pb-0">
            <p className={`font-semibold ${ALARMING.has(event.event) ? "text-bad" : ""}`}>
              {EVENT_LABELS[event.event]()}
              {event.times > 1 && ` · ${m.activity_times({ times: formatCount(event.times) })}`}
            </p>
            <p className="text-sm text-soft wrap-anywhere figures">
              {[formatTime(event.lastAt, { timeZone, now }), placeLabel(event)]
                .filter((part) => part !== "")
                .join(" · ")}
            </p>
          </li>
        ))}
      </ul>
      {error && <FormError title={m.activity_failed()} hint={errorMessage(error)} />}
      {hasNextPage && (
        <Button
          className="justify-self-start"
          aria-disabled={isFetchingNextPage}
          onClick={() => isFetchingNextPage || void fetchNextPage()}
        >
          {m.activity_more()}
        </Button>
      )}
    </>
  );
}

function ActivityError(caught: CaughtError) {
  return <LoadError {...caught} isPart Icon={ShieldCheck} title={m.activity_failed()} />;
}

/** `Chrome on Android · Brazil`; empty if nothing is known. */
function placeLabel(event: SecurityItem): string {
  const hasDevice = event.browser !== null || event.system !== null;
  const device = hasDevice ? deviceLabel(event) : null;
  const country = event.country === null ? null : formatCountry(event.country);
  return [device, country].filter((part) => part !== null).join(" · ");
}
