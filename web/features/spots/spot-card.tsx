import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { Link } from "@tanstack/react-router";
import { Link2, MapPin, Ticket, Users, type LucideIcon } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { toast } from "../../ui/toast.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import type { Spot, SpotResponse } from "../../../worker/contract/money/service.ts";
import { cacheResponse } from "../../api/client/query-client.ts";
import { serverNow } from "../../early/server-clock.ts";
import { connectLive, liveStore } from "../../api/live/live.ts";
import { userQuery } from "../../api/queries/user.ts";
import { joinLine, spotQuery, takeSpot } from "../../api/queries/spots.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { FormError } from "../../ui/notices.tsx";
import { useNow } from "../../ui/use-now.ts";
import { errorMessage } from "../language/error-messages.ts";
import { formatCount, formatUntil } from "../language/format.ts";
import { useMustLink } from "../live/use-live.ts";
import { useUser } from "../session/use-user.ts";
import { cityLabel } from "./labels.ts";

const CHECK_EVERY_MS = 3_000;

/** Why nothing can be paid or captured yet, and what the driver can do: wait, take the spot, get one, or link first. */
export function SpotCard({ response: { spot, mustLink } }: { response: SpotResponse }) {
  if (spot === null) return mustLink ? <UnknownSpot /> : null;
  const city = cityLabel(spot.city);
  switch (spot.status) {
    case "held":
      return null;
    case "waiting":
      return (
        <>
          <FollowLine />
          <PlaceInLine spot={spot} city={city} />
        </>
      );
    case "offered":
      return (
        <>
          <FollowLine />
          <OpenSpot city={city} endsAt={spot.offerEndsAt} />
        </>
      );
    case "left":
      return (
        <Frame
          Icon={MapPin}
          title={m.spot_left_title({ city })}
          action={<SpotButton call={joinLine}>{m.spot_join()}</SpotButton>}
        >
          {m.spot_left_text()}
        </Frame>
      );
  }
}

/** Shows at once that the driver's turn has come, or is over; also where that was while no socket was open. */
function FollowLine() {
  const queryClient = useQueryClient();
  useEffect(connectLive, []);
  const movedAt = useSelector(liveStore, (live) => live.spotMovedAt);
  const isOpen = useSelector(liveStore, (live) => live.connection === "open");
  useEffect(() => {
    if (isOpen || movedAt !== null) void queryClient.invalidateQueries({ queryKey: spotQuery.queryKey });
  }, [queryClient, isOpen, movedAt]);
  return null;
}

/** Before an account was linked nobody knows the driver's city; a moment after that the spot follows. */
function UnknownSpot() {
  useEffect(connectLive, []);
  return useMustLink() ? <LinkFirst /> : <CheckingSpot />;
}

function CheckingSpot() {
  // As soon as the city is known.
  useQuery({ ...spotQuery, refetchInterval: CHECK_EVERY_MS });
  return (
    <Frame Icon={MapPin} title={m.spot_checking_title()}>
      {m.spot_checking_text()}
    </Frame>
  );
}

function LinkFirst() {
  return (
    <Frame
      Icon={Link2}
      title={m.spot_link_title()}
      action={
        <Link to="/flex/login" className={buttonClass("primary")}>
          {m.phase_needs_link_action()}
        </Link>
      }
    >
      {m.spot_link_text()}
    </Frame>
  );
}

function PlaceInLine({ spot, city }: { spot: Extract<Spot, { status: "waiting" }>; city: string }) {
  const { place, waiting, joinedPlace } = spot;
  return (
    <Frame Icon={Users} title={m.spot_waiting_title({ city })}>
      <span className="figures my-2 flex flex-wrap items-baseline gap-x-2 text-ink">
        <span className="font-display text-3xl leading-tight font-bold" data-testid="place-in-line">
          {formatCount(place)}
        </span>
        <span>{m.spot_waiting_of({ count: formatCount(waiting) })}</span>
        {joinedPlace > place && (
          <span className="font-semibold text-good">
            {m.spot_waiting_joined({ place: formatCount(joinedPlace) })}
          </span>
        )}
      </span>
      {m.spot_waiting_text()}
    </Frame>
  );
}

function OpenSpot({ city, endsAt }: { city: string; endsAt: number }) {
  const { humanTimezone: timeZone } = useUser();
  const now = useNow(MINUTE_MS);
  return (
    <Frame
      Icon={Ticket}
      title={m.spot_offered_title({ city })}
      action={<SpotButton call={takeSpot}>{m.spot_take()}</SpotButton>}
    >
      {m.spot_offered_text({ until: formatUntil(endsAt, { timeZone, now }) })}
    </Frame>
  );
}

function SpotButton({ call, children }: { call: () => Promise<SpotResponse>; children: ReactNode }) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: call,
    onSuccess: async (response) => {
      await queryClient.invalidateQueries({ queryKey: userQuery.queryKey });
      cacheResponse(queryClient, spotQuery, response);
      if (response.spot?.status !== "held") return;
      toast(takenMessage(queryClient.getQueryData(userQuery.queryKey)));
    },
    onError: () => queryClient.invalidateQueries({ queryKey: spotQuery.queryKey }),
  });
  return (
    <>
      <Button variant="primary" aria-disabled={isPending} onClick={() => !isPending && mutate()}>
        {children}
      </Button>
      {error && <FormError title={m.spot_failed()} hint={errorMessage(error)} />}
    </>
  );
}

function takenMessage(user: User | undefined): string {
  // Days that ran in line are back, and keep the spot by themselves.
  if ((user?.expirationDateTimestamp ?? 0) > serverNow()) return m.spot_taken_served();
  return user?.trialPending === true ? m.spot_taken_trial() : m.spot_taken();
}

function Frame({
  Icon,
  title,
  action,
  children,
}: {
  Icon: LucideIcon;
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby="spot-title" data-testid="spot" className="card grid max-w-4xl gap-4 p-5">
      <div className="flex items-start gap-3">
        <Icon aria-hidden className="mt-1 size-5 shrink-0 text-soft" />
        <div className="min-w-0">
          <h2 id="spot-title" className="text-lg wrap-anywhere">
            {title}
          </h2>
          <p className="mt-1 max-w-prose text-soft">{children}</p>
        </div>
      </div>
      {action && <div className="grid gap-3 sm:justify-items-start">{action}</div>}
    </section>
  );
}
