import { useEffect, useId, useState } from "react";
import type { Snapshot } from "../../../db/shapes/work/live.ts";
import { connectLive } from "../../api/live/live.ts";
import { useCurrency } from "../../api/queries/use-config.ts";
import { useNow } from "../../ui/use-now.ts";
import { formatMoney, formatTime } from "../language/format.ts";
import { useUnheardToday, useVisibleSnapshot } from "../live/use-live.ts";
import { m } from "../../messages/messages.js";
import { offerPlace } from "../offers/offer-place.ts";
import { LazyRecordingQuestion } from "../recording/lazy-recording.tsx";
import { useUser } from "../session/use-user.ts";
import {
  LazyFeedbackCard,
  LazyPasskeyOffer,
  LazyQuestions,
  LazyRaffleWon,
  LazyRecoveryWarning,
  LazyRenewalNotice,
  LazyAnnouncements,
  LazyOthersNotice,
  LazyPointsCard,
  LazyLostDay,
  LazyEarningsCard,
  PushOffer,
} from "./lazy-parts.tsx";
import { LazyFeed, LazyNextBlock, LazyTodaySummary } from "./live-parts.tsx";
import { SpotNotice } from "../spots/spot-notice.tsx";
import { CaptureAnnouncer } from "./capture-announcer.tsx";
import { DashboardSkeleton } from "./states.tsx";
import { ConnectionBanner, NoSnapshot } from "../live/connection-notices.tsx";
import { SystemCard } from "./system-card.tsx";

/** Answers one question: is it working for me? */
export function Dashboard() {
  useEffect(connectLive, []);
  return (
    <>
      <h1 className="sr-only">{m.dashboard_title()}</h1>
      <CaptureAnnouncer />
      <Panels />
    </>
  );
}

function Panels() {
  const snapshot = useVisibleSnapshot();
  const { phoneNumber } = useUser();
  const currency = useCurrency();
  const isPainted = useIsPainted(snapshot !== null);
  if (!snapshot) return <NoSnapshot title={m.live_failed_title()} pending={<DashboardSkeleton />} />;
  return (
    <>
      {/* A region is announced only if it was there before what it tells of. */}
      <div aria-live="polite" className="grid grid-cols-1 gap-4 not-empty:mb-4">
        <LazyQuestions questions={snapshot.questions} entries={snapshot.feed} />
      </div>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1fr)_min(22rem,38%)]">
        {/* The order here is the order on the screen: what is live comes first, what is asked of the driver last. */}
        <div className="@container grid min-w-0 grid-cols-1 content-start gap-4">
          <div className="grid grid-cols-1 gap-4 @min-[44rem]:grid-cols-2">
            <div className="grid min-w-0 grid-cols-1 content-start gap-4">
              <SystemCard system={snapshot} phoneNumber={phoneNumber}>
                <Glance system={snapshot} currency={currency} />
              </SystemCard>
              {/* Below the switch, so that whatever appears doesn't move it. */}
              <ConnectionBanner />
              <SpotNotice />
              <LazyOthersNotice isPainted={isPainted} phase={snapshot.phase} timeZone={snapshot.timeZone} />
              {isPainted && (
                <>
                  <LazyRecoveryWarning />
                  <LazyRenewalNotice serviceUntil={snapshot.serviceUntil} />
                  <LazyRaffleWon />
                  <LazyAnnouncements />
                </>
              )}
            </div>
            <LazyNextBlock isPainted={isPainted} system={snapshot} />
          </div>
          <LazyFeed
            isPainted={isPainted}
            entries={snapshot.feed}
            won={snapshot.won}
            warehouses={snapshot.warehouses}
          />
        </div>
        <div className="grid min-w-0 grid-cols-1 content-start gap-4">
          <LazyTodaySummary isPainted={isPainted} system={snapshot} currency={currency} />
          {isPainted && (
            <>
              <LazyEarningsCard />
              <LazyPointsCard />
              <LazyLostDay />
              <Asks />
            </>
          )}
        </div>
      </div>
    </>
  );
}

/** Whether what was rendered with a condition has been painted, so that what comes after it no longer delays it. */
function useIsPainted(isRendered: boolean): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    if (!isRendered) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [isRendered]);
  return isPainted;
}

/**
 * Questions for the driver now and then, one at a time: each part decides by itself whether it is due, and the first one
 * hides those after it.
 */
function Asks() {
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      data-testid="asks"
      className="hidden grid-cols-1 gap-2 has-[section]:grid [&>section~section]:hidden"
    >
      <h2 id={titleId} className="mt-2 text-lg">
        {m.asks_title()}
      </h2>
      <PushOffer />
      <LazyFeedbackCard />
      <LazyRecordingQuestion />
      <LazyPasskeyOffer />
    </section>
  );
}

/** The next start and today's money on a phone, where their own cards are further down. */
function Glance({
  system: { held, warehouses, today },
  currency,
}: {
  system: Pick<Snapshot, "held" | "warehouses" | "today">;
  currency: string;
}) {
  const now = useNow(15_000);
  const isUnheard = useUnheardToday() !== null;
  const next = held.find(({ endsAt }) => endsAt > now);
  const figures = [
    {
      name: m.next_title(),
      value: next
        ? formatTime(next.startsAt, { timeZone: offerPlace(next, warehouses).timeZone, now })
        : m.glance_none(),
    },
    ...(isUnheard ? [] : [{ name: m.feed_won(), value: formatMoney(today.capturedCents, currency) }]),
  ];
  return (
    <dl className="figures flex flex-wrap gap-x-6 gap-y-1 sm:hidden" data-testid="glance">
      {figures.map(({ name, value }) => (
        <div key={name} className="min-w-24">
          <dt className="text-xs text-soft">{name}</dt>
          <dd className="font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
