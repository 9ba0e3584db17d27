import { useEffect, useState } from "react";
import type { PositionState } from "./arrival-status.ts";

/** No older reading is taken: only what the device measures now. */
const OPTIONS: PositionOptions = { enableHighAccuracy: true, maximumAge: 0, timeout: 20_000 };
/** A device that lies still tells nothing new by itself: it is asked, so that its fix does not grow old. */
const REFRESH_EVERY_MS = 15_000;

const LOCATING: PositionState = { kind: "locating" };

/** Where the device says it is, for as long as the page is open. `round` begins it anew. */
export function useDevicePosition(restartCount: number): PositionState {
  const [reading, setReading] = useState<{ round: number; watch: PositionState }>({
    round: restartCount,
    watch: LOCATING,
  });
  useEffect(() => {
    const { geolocation } = navigator;
    if (!geolocation) return;
    const onPosition = ({ coords, timestamp }: GeolocationPosition) => {
      const { latitude, longitude, accuracy } = coords;
      const observedAt = Math.round(timestamp);
      const fix = { latitude, longitude, accuracyMeters: accuracy, observedAt };
      setReading({ round: restartCount, watch: { kind: "fix", fix } });
    };
    const onError = ({ code, PERMISSION_DENIED }: GeolocationPositionError) => {
      const kind = code === PERMISSION_DENIED ? "denied" : "unavailable";
      setReading((known) =>
        kind === "unavailable" && known.watch.kind === "fix"
          ? known
          : { round: restartCount, watch: { kind } },
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
  return reading.round === restartCount ? reading.watch : LOCATING;
}
