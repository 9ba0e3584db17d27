import { useEffect, useState } from "react";
import type { PositionState } from "./arrival-status.ts";

/** No cached position: only what the device measures now. */
const OPTIONS: PositionOptions = { enableHighAccuracy: true, maximumAge: 0, timeout: 20_000 };
/** A device that doesn't move reports nothing new, so it is asked again before its fix gets too old. */
const REFRESH_EVERY_MS = 15_000;

const LOCATING: PositionState = { kind: "locating" };

/** The device's position while the page is open. Another `restartCount` starts over. */
export function useDevicePosition(restartCount: number): PositionState {
  const [reading, setReading] = useState<{ restartCount: number; state: PositionState }>({
    restartCount,
    state: LOCATING,
  });
  useEffect(() => {
    const { geolocation } = navigator;
    if (!geolocation) return;
    const onPosition = ({ coords, timestamp }: GeolocationPosition) => {
      const { latitude, longitude, accuracy } = coords;
      const observedAt = Math.round(timestamp);
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
