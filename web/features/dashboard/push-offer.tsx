import { useSelector } from "@tanstack/react-store";
import { lazy, Suspense } from "react";
import { liveStore } from "../../api/live.ts";

const PushPrompt = lazy(async () => ({
  default: (await import("../notifications/push-prompt.tsx")).PushPrompt,
}));

/** Offers notifications once the driver has seen a capture. */
export function PushOffer() {
  const hasCaptured = useSelector(liveStore, (live) => live.lastCapture !== null);
  return <Suspense>{hasCaptured && <PushPrompt />}</Suspense>;
}
