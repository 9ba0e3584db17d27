import { useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { useEffect } from "react";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { linkingStore, retryAfterMs, setupQuery, updateLinking } from "../../api/queries/setup.ts";
import { useNow } from "../../ui/use-now.ts";
import { serverNow } from "../../early/server-clock.ts";

/** Whole seconds until an instant, updated each second; 0 from then on. */
export function useSecondsUntil(at: EpochMs): number {
  const now = useNow(1000);
  return Math.max(0, Math.ceil((at - now) / 1000));
}

/** Seconds until the platform takes another try; 0 where it takes one now. */
export function useRetryWait(): number {
  return useSecondsUntil(useSelector(linkingStore, (state) => state.retryAt));
}

/** Where the platform asks for a wait, no step tries before it is over. A lock is of one account: another may be linked. */
export function delayNextAttempt(error: unknown): void {
  const waitMs = errorCodeOf(error) === "link_locked" ? 0 : retryAfterMs(error);
  if (waitMs > 0) updateLinking({ retryAt: serverNow() + waitMs });
}

/** Refetches the setup status once, when a condition becomes true: mostly, that a countdown has ended. */
export function useRefetchSetupWhen(condition: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (condition) void queryClient.invalidateQueries({ queryKey: setupQuery.queryKey });
  }, [condition, queryClient]);
}
