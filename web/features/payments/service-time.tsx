import { Link } from "@tanstack/react-router";
import { createStore, useSelector } from "@tanstack/react-store";
import { Hourglass } from "lucide-react";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useUser } from "../session/use-user.ts";
import { formatTimeLeft, formatUntil } from "../language/format.ts";
import { Suspense, type ComponentProps } from "react";
import { lazyOptional } from "../../ui/lazy-optional.ts";
import type { SameAgainLink } from "./same-again-link.tsx";

const SOON_MS = 24 * 3_600_000;

/** Whether the screen shows the notice of a renewal that will be charged: more days need no doing of the driver. */
export const renewsStore = createStore(false);

/** Only for who has no service left, or little. Where it can't be fetched, the plans are one tap further. */
const SameAgain = lazyOptional(
  async () => (await import("./same-again-link.tsx")).SameAgainLink,
  ({ fallback = null }) => fallback,
);

/** How much service time is left, and until when; `isShort` leaves out the latter on a phone. */
export function ServiceUntil({
  until,
  pausedUntil,
  timeZone,
  isShort = false,
}: {
  until: number | null;
  /** The end of a pause, which is no service. */
  pausedUntil?: number | null | undefined;
  timeZone: string;
  isShort?: boolean;
}) {
  const now = useNow(30_000);
  const { trialPending = false } = useUser();
  const left = until === null ? 0 : until - Math.max(now, pausedUntil ?? 0);
  return (
    <p data-testid="service-time" className="figures text-sm">
      <span className="text-soft">{m.service_label()}: </span>
      {left <= 0 && trialPending ? (
        <span className="font-semibold">{m.service_trial()}</span>
      ) : until === null || left <= 0 ? (
        <span className="font-semibold text-bad">{m.service_none()}</span>
      ) : (
        <>
          <span className={`font-semibold ${left < SOON_MS ? "text-warn" : ""}`}>
            {m.service_left({ left: formatTimeLeft(left) })}
          </span>
          <span className={`text-soft ${isShort ? "max-sm:hidden" : ""}`}>
            , {m.service_until({ until: formatUntil(until, { timeZone, now }) })}
          </span>
        </>
      )}
    </p>
  );
}

/** Warns on the last day of service and after its end, with a link to buy more for who can: in line nothing can be paid. */
export function ServiceEnding({ until, timeZone }: { until: number | null; timeZone: string }) {
  const now = useNow(30_000);
  const { waitingForSpot, trialPending = false } = useUser();
  const renews = useSelector(renewsStore);
  if (trialPending || renews) return null;
  if (until !== null && until - now >= SOON_MS) return null;
  const message =
    until === null || until <= now
      ? m.phase_no_service()
      : m.service_ending({ until: formatUntil(until, { timeZone, now }) });
  return (
    <div
      data-testid="service-ending"
      className="flex flex-wrap items-center gap-3 rounded-field border border-warn p-3"
    >
      <Hourglass aria-hidden className="size-5 shrink-0 text-warn" />
      <p className="figures min-w-40 flex-1 text-sm">{message}</p>
      {!waitingForSpot && (
        <>
          <Link to="/flex/payments" className={buttonClass("plain")}>
            {m.service_add()}
          </Link>
          <LazySameAgainLink variant="plain" />
        </>
      )}
    </div>
  );
}

/** A link to the same again, for a driver who has what it needs; else `fallback`, or nothing. */
export function LazySameAgainLink({ fallback = null, ...props }: ComponentProps<typeof SameAgainLink>) {
  return (
    <Suspense fallback={fallback}>
      <SameAgain fallback={fallback} {...props} />
    </Suspense>
  );
}
