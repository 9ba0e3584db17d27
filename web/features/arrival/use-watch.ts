import { useEffect, useState } from "react";
import type { Watch } from "./standing.ts";

/** No older reading is taken: only what the device measures now. */
const OPTIONS: PositionOptions = { enableHighAccuracy: true, maximumAge: 0, timeout: 20_000 };
/** A device that lies still tells nothing new by itself: it is asked, so that its fix does not grow old. */
const ASK_EVERY_MS = 15_000;

const LOCATING: Watch = { kind: "locating" };

/** Where the device says it is, for as long as the page is open. `round` begins it anew. */
export function useWatch(round: number): Watch {
  const [heard, setHeard] = useState<{ round: number; watch: Watch }>({ round, watch: LOCATING });
  useEffect(() => {
    const { geolocation } = navigator;
    if (!geolocation) return;
    const take = ({ coords, timestamp }: GeolocationPosition) => {
      const { latitude, longitude, accuracy } = coords;
      const observedAt = Math.round(timestamp);
      const fix = { latitude, longitude, accuracyMeters: accuracy, observedAt };
      setHeard({ round, watch: { kind: "fix", fix } });
    };
    const fail = ({ code, PERMISSION_DENIED }: GeolocationPositionError) => {
      const kind = code === PERMISSION_DENIED ? "denied" : "unavailable";
      setHeard((known) =>
        kind === "unavailable" && known.watch.kind === "fix" ? known : { round, watch: { kind } },
      );
    };
    const id = geolocation.watchPosition(take, fail, OPTIONS);
    const timer = setInterval(() => geolocation.getCurrentPosition(take, fail, OPTIONS), ASK_EVERY_MS);
    return () => {
      geolocation.clearWatch(id);
      clearInterval(timer);
    };
  }, [round]);
  if (!("geolocation" in navigator)) return { kind: "unavailable" };
  return heard.round === round ? heard.watch : LOCATING;
}
