import { useSelector } from "@tanstack/react-store";
import { lazy, Suspense, type ComponentType } from "react";
import { liveStore } from "../../api/live.ts";

/** Loaded with the first capture. Where it can't be fetched, notifications aren't offered until the page is loaded anew. */
const PushPrompt = lazy<ComponentType>(() =>
  import("../notifications/push-prompt.tsx").then(
    (loaded) => ({ default: loaded.PushPrompt }),
    () => ({ default: () => null }),
  ),
);

/** Offers notifications once the driver has seen a capture. */
export function PushOffer() {
  const hasCaptured = useSelector(liveStore, (live) => live.lastCapture !== null);
  return <Suspense>{hasCaptured && <PushPrompt />}</Suspense>;
}
