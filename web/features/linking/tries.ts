import { useSelector } from "@tanstack/react-store";
import type { FormEvent } from "react";
import { changeLinking, linkingStore, retryAfterMs } from "../../api/setup.ts";
import { useSecondsUntil } from "./clock.ts";

/** How many seconds the platform takes no further try, and a form's submit that does nothing until then. */
export function useTries(onSubmit: (event: FormEvent) => void) {
  const wait = useSecondsUntil(useSelector(linkingStore, (state) => state.tryAt));
  const submit = (event: FormEvent) => (wait > 0 ? event.preventDefault() : onSubmit(event));
  return { wait, submit };
}

/** Where the platform asks for a wait, no step tries before it is over. */
export function holdTries(error: unknown): void {
  const waitMs = retryAfterMs(error);
  if (waitMs > 0) changeLinking({ tryAt: Date.now() + waitMs });
}
