import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { m } from "../../messages/messages.js";
import { buttonClass, Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/notices.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useProductName } from "../../api/queries/use-config.ts";
import { LoadBoundary, LoadError, type CaughtError } from "../errors/load-error.tsx";
import { useArrival } from "./use-arrival.ts";
import type { Block, Warehouse } from "../../../db/shapes/work/offer.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import {
  formatBlockLength,
  formatMoney,
  formatTimeRange,
  DEVICE_TIME_ZONE,
  formatDistance,
} from "../language/format.ts";
import { offerPlace } from "../offers/offer-place.ts";
import { ChevronLeft, CircleCheck, MapPin, TriangleAlert } from "lucide-react";
import { arrivalMessage } from "./arrival-messages.ts";
import type { ArrivalStatus } from "./arrival-status.ts";

const TONE_STYLES = {
  done: { Icon: CircleCheck, className: "bg-signal text-on-signal" },
  waiting: { Icon: MapPin, className: "bg-sunken text-ink" },
  action_required: { Icon: TriangleAlert, className: "bg-sunken text-warn" },
} as const;

/**
 * Checks in, inside a frame or as a page of its own. The token is read once and dropped from the URL: a reload
 * uses the session instead.
 */
export function ArrivedScreen({ token: initialToken, instant }: { token: string | null; instant: boolean }) {
  const [token] = useState(initialToken);
  const navigate = useNavigate();
  useEffect(() => {
    if (initialToken === null) return;
    void navigate({ to: "/arrived", search: instant ? { instant: 1 } : {}, replace: true });
  }, [initialToken, instant, navigate]);
  const isTopLevel = window.top === window;
  return (
    <main
      id="content"
      data-framed={isTopLevel ? undefined : ""}
      aria-labelledby="arrival-title"
      className="mx-auto grid max-w-md grid-cols-1 content-start gap-4 p-5"
    >
      {/* Above everything that loads, which then doesn't move it. */}
      {isTopLevel && (
        <Link to="/flex/dashboard" className={buttonClass("quiet", "-mb-3 -ml-4 justify-self-start")}>
          <ChevronLeft aria-hidden className="size-4.5" />
          {m.nav_home()}
        </Link>
      )}
      <h1 id="arrival-title" className={isTopLevel ? "text-2xl" : "sr-only"}>
        {m.arrival_title()}
      </h1>
      <div className="grid grid-cols-1 content-start gap-4">
        <LoadBoundary skeleton={<ArrivalSkeleton />} errorComponent={ArrivalError}>
          <Arrival token={token} instant={instant} />
        </LoadBoundary>
      </div>
    </main>
  );
}

function Arrival({ token, instant }: { token: string | null; instant: boolean }) {
  const { next, position, status, now, tryNow } = useArrival(token, { instant });
  return (
    <>
      {next.block && <ArrivalBlock block={next.block} warehouse={next.warehouse} now={now} />}
      <ArrivalStatusCard
        status={status}
        instant={instant}
        timeZone={next.warehouse?.timeZone}
        now={now}
        accuracyMeters={position.kind === "fix" ? position.fix.accuracyMeters : null}
        onRetry={tryNow}
      />
    </>
  );
}

function ArrivalSkeleton() {
  return (
    <output className="grid gap-4">
      <span className="sr-only">{m.arrival_loading()}</span>
      <Skeleton className="h-16" />
      <Skeleton className="h-40" />
    </output>
  );
}

function ArrivalError(caught: CaughtError) {
  const product = useProductName();
  if (errorCodeOf(caught.error) === "unauthenticated") {
    return <FormError title={m.arrival_over()} hint={m.arrival_over_text({ product })} />;
  }
  return <LoadError {...caught} title={m.arrival_failed()} />;
}

/** The block to check in to, in a few lines. */
function ArrivalBlock({
  block,
  warehouse,
  now,
}: {
  block: Block;
  warehouse: Warehouse | null;
  now: EpochMs;
}) {
  const place = offerPlace(block, warehouse ? [warehouse] : []);
  return (
    <div className="figures flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-b border-line pb-4">
      <p className="min-w-[min(100%,8rem)] flex-1">
        <span className="block font-semibold">{place.name}</span>
        {warehouse?.address && <span className="block text-sm text-soft">{warehouse.address}</span>}
        <span className="block text-sm text-soft">
          {formatTimeRange(block, { timeZone: place.timeZone, now })}&nbsp;· {formatBlockLength(block)}
        </span>
      </p>
      <p className="text-lg leading-tight font-semibold">{formatMoney(block.payCents, block.currency)}</p>
    </div>
  );
}

/** The status of the check-in, announced as it changes, with a button to try now. */
function ArrivalStatusCard({
  status,
  instant,
  timeZone = DEVICE_TIME_ZONE,
  now,
  accuracyMeters,
  onRetry,
}: {
  status: ArrivalStatus;
  instant: boolean;
  timeZone: string | undefined;
  now: EpochMs;
  accuracyMeters: number | null;
  onRetry: () => void;
}) {
  const { title, text, tone } = arrivalMessage(status, { instant, timeZone, now });
  const { Icon, className } = TONE_STYLES[tone];
  const isPrevented = status.kind === "prevented" && status.obstacle.kind !== "verification_required";
  const isAgain = ["denied", "unavailable", "prevented"].includes(status.kind);
  const isOver = isPrevented || status.kind === "done" || status.kind === "none" || status.kind === "late";
  return (
    <div className="@container grid grid-cols-1 gap-4" data-status={status.kind}>
      <output className="grid justify-items-center gap-2 text-center">
        <span className={`grid size-14 place-items-center rounded-full ${className}`}>
          <Icon aria-hidden className="size-7" />
        </span>
        {/* Room for the longest of the usual texts, also in large letters; and another text is another element, none that moved. */}
        <span
          key={`title ${title}`}
          className="figures font-display text-xl font-bold @max-[14rem]:min-h-[4lh]"
        >
          {title}
        </span>
        <span
          key={`text ${text}`}
          className="min-h-[4lh] max-w-prose text-soft min-[26rem]:min-h-[3lh] @max-[14rem]:min-h-[8lh]"
        >
          {text}
        </span>
      </output>
      {accuracyMeters !== null && !isOver && (
        <p className="figures text-center text-sm text-soft">
          {m.arrival_accuracy({ accuracy: formatDistance(accuracyMeters) })}
        </p>
      )}
      {!isOver && status.kind !== "checking" && (
        <Button variant={instant ? "primary" : "plain"} onClick={onRetry}>
          {isAgain ? m.try_again() : m.arrived_instant()}
        </Button>
      )}
    </div>
  );
}
