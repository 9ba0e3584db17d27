import { useSelector } from "@tanstack/react-store";
import { WifiOff } from "lucide-react";
import { useEffect } from "react";
import { liveStore, connectLive } from "../../api/live.ts";
import { useCurrency } from "../../api/use-config.ts";
import { useVisibleSnapshot } from "./use-live.ts";
import { m } from "../../messages/messages.js";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { useUser } from "../session/use-user.ts";
import { SpotNotice } from "../spots/spot-notice.tsx";
import { LazyEarningsCard } from "../earnings/lazy-earnings-card.tsx";
import { CaptureAnnouncer } from "./capture-announcer.tsx";
import { DashboardSkeleton } from "./dashboard-skeleton.tsx";
import { TodaySummary } from "./today-summary.tsx";
import { Feed } from "./feed.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { ModeSelector } from "./mode-selector.tsx";
import { NextBlock } from "./next-block.tsx";
import { SystemCard } from "./system-card.tsx";

/** Answers one question: is it working for me? */
export function Dashboard() {
  useEffect(connectLive, []);
  return (
    <>
      <h1 className="sr-only">{m.dashboard_title()}</h1>
      <CaptureAnnouncer />
      <div className="grid grid-cols-1 gap-4">
        <ConnectionBanner />
        <SpotNotice />
        <Panels />
      </div>
    </>
  );
}

function Panels() {
  const snapshot = useVisibleSnapshot();
  const connection = useSelector(liveStore, (live) => live.connection);
  const { phoneNumber } = useUser();
  const currency = useCurrency();
  if (!snapshot) return connection === "waiting" ? <ConnectionError /> : <DashboardSkeleton />;
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
      <SystemCard system={snapshot} phoneNumber={phoneNumber} />
      {/* On a phone the order is by how often it is needed: the mode comes last, after the feed. */}
      <div className="contents min-w-0 grid-cols-1 gap-4 lg:row-span-2 lg:grid lg:content-start">
        <NextBlock held={snapshot.held} warehouses={snapshot.warehouses} />
        <TodaySummary today={snapshot.today} currency={currency} />
        <LazyEarningsCard />
        <div className="max-lg:order-last">
          <ModeSelector mode={snapshot.mode} specialMode={snapshot.specialMode} />
        </div>
      </div>
      <Feed entries={snapshot.feed} warehouses={snapshot.warehouses} />
    </div>
  );
}

function ConnectionError() {
  return (
    <div className="card">
      <StatusPanel Icon={WifiOff} role="alert" title={m.live_failed_title()}>
        {m.live_failed_text()}
      </StatusPanel>
    </div>
  );
}
