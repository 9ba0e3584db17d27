import { useSelector } from "@tanstack/react-store";
import type { FormEvent } from "react";
import { updateLinking, linkingStore, retryAfterMs } from "../../api/setup.ts";
import { useSecondsUntil } from "./countdown.ts";

/** How many seconds the platform takes no further try, and a form's submit that does nothing until then. */
export function useRateLimitedSubmit(onSubmit: (event: FormEvent) => void) {
  const waitSeconds = useSecondsUntil(useSelector(linkingStore, (state) => state.retryAt));
  const submit = (event: FormEvent) => (waitSeconds > 0 ? event.preventDefault() : onSubmit(event));
  return { wait: waitSeconds, submit };
}

/** Where the platform asks for a wait, no step tries before it is over. */
export function delayNextAttempt(error: unknown): void {
  const waitMs = retryAfterMs(error);
  if (waitMs > 0) updateLinking({ retryAt: Date.now() + waitMs });
}
