import { useEffect, useState } from "react";
import { serverNow } from "../early/server-clock.ts";

/** The current time, updated at an interval while the page is visible. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => followTime(everyMs, setNow), [everyMs]);
  return now;
}

/** Calls back at an interval while the page is visible, and at once when it is again, until it is stopped. */
export function followTime(everyMs: number, onTick: (now: number) => void): () => void {
  const tick = () => {
    if (document.visibilityState === "visible") onTick(serverNow());
  };
  const timer = setInterval(tick, everyMs);
  document.addEventListener("visibilitychange", tick);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", tick);
  };
}
