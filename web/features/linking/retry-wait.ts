import { useSelector } from "@tanstack/react-store";
import { updateLinking, linkingStore, retryAfterMs } from "../../api/setup.ts";
import { useSecondsUntil } from "./countdown.ts";

/** Seconds until the platform takes another try; 0 where it takes one now. */
export function useRetryWait(): number {
  return useSecondsUntil(useSelector(linkingStore, (state) => state.retryAt));
}

/** Where the platform asks for a wait, no step tries before it is over. */
export function delayNextAttempt(error: unknown): void {
  const waitMs = retryAfterMs(error);
  if (waitMs > 0) updateLinking({ retryAt: Date.now() + waitMs });
}
