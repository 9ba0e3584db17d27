import { useSelector } from "@tanstack/react-store";
import { Suspense } from "react";
import { lazyOptional } from "../../ui/lazy-optional.ts";
import { liveStore } from "../../api/live/live.ts";

/** Loaded with the first capture. Where it can't be fetched, notifications aren't offered until the page is loaded anew. */
const PushPrompt = lazyOptional(async () => (await import("../notifications/push-prompt.tsx")).PushPrompt);

/** Offers notifications once the driver has seen a capture. */
export function PushOffer() {
  const hasCaptured = useSelector(liveStore, (live) => live.lastCapture !== null);
  return <Suspense>{hasCaptured && <PushPrompt />}</Suspense>;
}
