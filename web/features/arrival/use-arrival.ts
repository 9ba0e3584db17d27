import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { DevicePosition } from "../../../db/shapes/work/check-in.ts";
import { checkIn, nextBlockQuery } from "../../api/queries/arrival.ts";
import { useNow } from "../../ui/use-now.ts";
import { useOnline } from "../../ui/use-online.ts";
import {
  nextAttemptAt,
  fixToCheckInWith,
  arrivalStatus,
  usableFix,
  type CheckInAttempt,
  type PositionState,
} from "./arrival-status.ts";
import { serverNow, toServerTime } from "../../early/server-clock.ts";

/** No cached position: only what the device measures now. */
const OPTIONS: PositionOptions = { enableHighAccuracy: true, maximumAge: 0, timeout: 20_000 };
/** A device that doesn't move reports nothing new, so it is asked again before its fix gets too old. */
const REFRESH_EVERY_MS = 15_000;

const LOCATING: PositionState = { kind: "locating" };

/** Follows the device's position and checks in when it is inside and in time; with `instant`, once and right now. */
export function useArrival(token: string | null, { instant }: { instant: boolean }) {
  const queryClient = useQueryClient();
  const next = useSuspenseQuery(nextBlockQuery(token)).data;
  const [restartCount, setRestartCount] = useState(0);
  const position = useDevicePosition(restartCount);
  const now = useNow(1000);
  const isOnline = useOnline();
  const [lastAttempt, setLastAttempt] = useState<(CheckInAttempt & { blockId: string }) | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: (response: { blockId: string; fix: DevicePosition }) => checkIn(token, response),
    onSettled: (data, error, { blockId }) => {
      const response = data ?? null;
      setLastAttempt({
        blockId,
        response: response,
        error,
        retryAt: nextAttemptAt(response, error, serverNow()),
      });
      return queryClient.invalidateQueries({ queryKey: ["next-block"] });
    },
  });
  const blockId = next.block?.blockId;
  const attempt = lastAttempt?.blockId === blockId ? lastAttempt : null;
  const arrival = { next, position, attempt, isCheckingIn: isPending, isOnline, now };
  const fix = fixToCheckInWith(arrival, { instant });
  useEffect(() => {
    if (fix && blockId) mutate({ blockId, fix });
  }, [fix, blockId, mutate]);

  const tryNow = () => {
    const usable = usableFix(position, serverNow());
    if (usable && blockId && !isPending) mutate({ blockId, fix: usable });
    else setRestartCount((known) => known + 1);
  };
  return { next, position, status: arrivalStatus(arrival), now, tryNow };
}

/** The device's position while the page is open. Another `restartCount` starts over. */
function useDevicePosition(restartCount: number): PositionState {
  const [reading, setReading] = useState<{ restartCount: number; state: PositionState }>({
    restartCount,
    state: LOCATING,
  });
  useEffect(() => {
    const { geolocation } = navigator;
    if (!geolocation) return;
    const onPosition = ({ coords, timestamp }: GeolocationPosition) => {
      const { latitude, longitude, accuracy } = coords;
      const observedAt = Math.round(toServerTime(timestamp));
      const fix = { latitude, longitude, accuracyMeters: accuracy, observedAt };
      setReading({ restartCount, state: { kind: "fix", fix } });
    };
    const onError = ({ code, PERMISSION_DENIED }: GeolocationPositionError) => {
      const kind = code === PERMISSION_DENIED ? "denied" : "unavailable";
      setReading((known) =>
        kind === "unavailable" && known.state.kind === "fix" ? known : { restartCount, state: { kind } },
      );
    };
    const id = geolocation.watchPosition(onPosition, onError, OPTIONS);
    const timer = setInterval(
      () => geolocation.getCurrentPosition(onPosition, onError, OPTIONS),
      REFRESH_EVERY_MS,
    );
    return () => {
      geolocation.clearWatch(id);
      clearInterval(timer);
    };
  }, [restartCount]);
  if (!("geolocation" in navigator)) return { kind: "unavailable" };
  return reading.restartCount === restartCount ? reading.state : LOCATING;
}
