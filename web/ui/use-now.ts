import { useEffect, useState, useSyncExternalStore } from "react";
import { followServerClock, toServerTime } from "../early/server-clock.ts";

/** The current time on the server's clock, updated at an interval while the page is visible, and when that clock is known. */
export function useNow(everyMs: number): number {
  const [deviceTime, setDeviceTime] = useState(Date.now);
  useEffect(() => followTime(everyMs, setDeviceTime), [everyMs]);
  const inServerTime = () => toServerTime(deviceTime);
  return useSyncExternalStore(followServerClock, inServerTime, inServerTime);
}

/** Calls back at an interval while the page is visible, and at once when it is again, until it is stopped. */
export function followTime(everyMs: number, onTick: (deviceTime: number) => void): () => void {
  const tick = () => {
    if (document.visibilityState === "visible") onTick(Date.now());
  };
  const timer = setInterval(tick, everyMs);
  document.addEventListener("visibilitychange", tick);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", tick);
  };
}
