import { useEffect, useState } from "react";

/** The current time, updated at an interval while the page is visible. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => followTime(everyMs, setNow), [everyMs]);
  return now;
}

/** Calls back at an interval while the page is visible, and at once when it is again, until it is stopped. */
export function followTime(everyMs: number, onTick: (now: number) => void): () => void {
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
