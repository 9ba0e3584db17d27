import { useSelector } from "@tanstack/react-store";
import { RefreshCw, WifiOff } from "lucide-react";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { liveStore } from "../../api/live/live.ts";
import { m } from "../../messages/messages.js";
import { Banner } from "../../ui/notices.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useOnline } from "../../ui/use-online.ts";
import { DEVICE_TIME_ZONE, formatTime } from "../language/format.ts";
import { offlineText, useMayBeCapturing } from "../errors/stale-notice.tsx";
import type { ReactNode } from "react";
import { ReloadButton } from "../../ui/reload-button.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";

/** Says that the dashboard may be out of date, and since when. */
export function ConnectionBanner() {
  const now = useNow(MINUTE_MS);
  const isOnline = useOnline();
  const connection = useSelector(liveStore, (live) => live.connection);
  const isStale = useSelector(liveStore, (live) => live.isStale);
  const lastMessageAt = useSelector(liveStore, (live) => live.lastMessageAt);
  const isUnreadable = useSelector(liveStore, (live) => live.isUnreadable);
  const isRestored = useSelector(liveStore, (live) => live.isRestored);
  const isCapturing = useMayBeCapturing(now);
  if (connection === "revoked") return <Banner Icon={WifiOff}>{m.live_gone()}</Banner>;
  if (lastMessageAt === null) return null;
  const time = formatTime(lastMessageAt, { timeZone: DEVICE_TIME_ZONE, now, seconds: !isRestored });
  if (!isOnline) return <Banner Icon={WifiOff}>{offlineText(time, isCapturing)}</Banner>;
  if (connection === "crowded") return <Banner Icon={WifiOff}>{m.live_crowded({ time })}</Banner>;
  if (isUnreadable) return <Banner Icon={RefreshCw}>{m.live_unreadable({ time })}</Banner>;
  if (isStale || connection === "waiting") return <Banner Icon={WifiOff}>{m.live_stale({ time })}</Banner>;
  return null;
}

/** In place of what a snapshot has, until there is one: why there is none, where it isn't on its way. */
export function NoSnapshot({ title, pending }: { title: string; pending: ReactNode }) {
  const connection = useSelector(liveStore, (live) => live.connection);
  const isUnreadable = useSelector(liveStore, (live) => live.isUnreadable);
  if (isUnreadable) return <NewerSnapshot title={title} />;
  if (connection === "revoked") return <ConnectionBanner />;
  return connection === "waiting" ? <ConnectionError title={title} /> : pending;
}

/** For what only a later release of the page can show. */
function NewerSnapshot({ title }: { title: string }) {
  return (
    <div className="card">
      <StatusPanel Icon={RefreshCw} role="alert" title={title} actions={<ReloadButton />}>
        {m.live_newer_text()}
      </StatusPanel>
    </div>
  );
}

function ConnectionError({ title }: { title: string }) {
  return (
    <div className="card">
      <StatusPanel Icon={WifiOff} role="alert" title={title}>
        {m.live_failed_text()}
      </StatusPanel>
    </div>
  );
}
