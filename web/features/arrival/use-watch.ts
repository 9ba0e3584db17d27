import { useEffect, useState } from "react";
import type { Watch } from "./standing.ts";

/** No older reading is taken: only what the device measures now. */
const OPTIONS: PositionOptions = { enableHighAccuracy: true, maximumAge: 0, timeout: 20_000 };
/** A device that lies still tells nothing new by itself: it is asked, so that its fix does not grow old. */
const ASK_EVERY_MS = 15_000;

/** Where the device says it is, for as long as the page is open. `round` begins it anew. */
export function useWatch(round: number): Watch {
  const [watch, setWatch] = useState<Watch>({ kind: "locating" });
  useEffect(() => {
    const { geolocation } = navigator;
    if (!geolocation) {
      setWatch({ kind: "unavailable" });
      return;
    }
    setWatch({ kind: "locating" });
    const take = ({ coords, timestamp }: GeolocationPosition) => {
      const { latitude, longitude, accuracy } = coords;
      const observedAt = Math.round(timestamp);
      setWatch({ kind: "fix", fix: { latitude, longitude, accuracyMeters: accuracy, observedAt } });
    };
    const fail = ({ code, PERMISSION_DENIED }: GeolocationPositionError) => {
      if (code === PERMISSION_DENIED) setWatch({ kind: "denied" });
      else setWatch((known) => (known.kind === "fix" ? known : { kind: "unavailable" }));
    };
    const id = geolocation.watchPosition(take, fail, OPTIONS);
    const timer = setInterval(() => geolocation.getCurrentPosition(take, fail, OPTIONS), ASK_EVERY_MS);
    return () => {
      geolocation.clearWatch(id);
      clearInterval(timer);
    };
  }, [round]);
  return watch;
}
