import { useSelector } from "@tanstack/react-store";
import { History, WifiOff } from "lucide-react";
import { MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { possibleNow } from "../../../db/shapes/work/possible-now.ts";
import { liveStore } from "../../api/live/live.ts";
import { toServerTime } from "../../early/server-clock.ts";
import { m } from "../../messages/messages.js";
import { Banner } from "../../ui/notices.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useOnline } from "../../ui/use-online.ts";
import { DEVICE_TIME_ZONE, formatTime } from "../language/format.ts";
import type { Snapshot } from "../../../db/shapes/work/live.ts";

/** Says that what a query shows may be out of date: without a connection, or where it could not be fetched again. */
export function StaleNotice({
  query: { dataUpdatedAt, isRefetchError },
}: {
  query: { dataUpdatedAt: number; isRefetchError: boolean };
}) {
  const isOnline = useOnline();
  const now = useNow(MINUTE_MS);
  const isCapturing = useMayBeCapturing(now);
  if (!isOnline) {
    const time = formatTime(toServerTime(dataUpdatedAt), { timeZone: DEVICE_TIME_ZONE, now });
    return <Banner Icon={WifiOff}>{offlineText(time, isCapturing)}</Banner>;
  }
  return isRefetchError ? <Banner Icon={History}>{m.profile_stale()}</Banner> : null;
}

/** A screen's message while the device is offline: since when, and that captures go on, where they may. */
export function offlineText(time: string, isCapturing: boolean): string {
  const since = m.live_offline({ time });
  return isCapturing ? `${since} ${m.live_offline_on()}` : since;
}

/** Whether captures may go on while this device hears nothing. Nobody promises it where nothing is known. */
export function mayBeCapturing(snapshot: Pick<Snapshot, "phase" | "isLinked"> | null, now: EpochMs): boolean {
  return snapshot !== null && possibleNow(snapshot, now).capture !== "no";
}

export function useMayBeCapturing(now: EpochMs): boolean {
  const snapshot = useSelector(liveStore, (live) => live.snapshot);
  return mayBeCapturing(snapshot, now);
}
