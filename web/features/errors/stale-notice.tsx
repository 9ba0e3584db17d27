import { useSelector } from "@tanstack/react-store";
import { History, WifiOff } from "lucide-react";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { liveStore } from "../../api/live/live.ts";
import { m } from "../../messages/messages.js";
import { Banner } from "../../ui/banner.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useOnline } from "../../ui/use-online.ts";
import { DEVICE_TIME_ZONE, formatTime } from "../language/format.ts";
import type { Snapshot } from "../../../db/shapes/work/live.ts";

/** When capturing goes on is up to the driver, not to this device's connection. */
const NOT_CAPTURING = ["off", "needs_link", "verification_required", "no_service"];

/** Says that what a query shows may be out of date: without a connection, or where it could not be fetched again. */
export function StaleNotice({
  query: { dataUpdatedAt, isRefetchError },
}: {
  query: { dataUpdatedAt: number; isRefetchError: boolean };
}) {
  const isOnline = useOnline();
  const now = useNow(MINUTE_MS);
  const snapshot = useSelector(liveStore, (live) => live.snapshot);
  if (!isOnline) {
    const time = formatTime(dataUpdatedAt, { timeZone: DEVICE_TIME_ZONE, now });
    return <Banner Icon={WifiOff}>{offlineText(time, snapshot)}</Banner>;
  }
  return isRefetchError ? <Banner Icon={History}>{m.profile_stale()}</Banner> : null;
}

/** A screen's message while the device is offline: since when, and that captures go on, where they may. */
export function offlineText(time: string, snapshot: Pick<Snapshot, "phase"> | null): string {
  const since = m.live_offline({ time });
  const isCapturing = !snapshot || !NOT_CAPTURING.includes(snapshot.phase.kind);
  return isCapturing ? `${since} ${m.live_offline_on()}` : since;
}
