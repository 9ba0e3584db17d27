import { useSelector } from "@tanstack/react-store";
import { useEffect } from "react";
import { liveStore, connectLive } from "../../api/live/live.ts";
import { useNow } from "../../ui/use-now.ts";
import { ArrivedButton } from "../arrival/arrived-button.tsx";
import { offerPlace } from "../offers/offer-place.ts";
import { SelfieButton } from "./selfie-button.tsx";

/** What can't wait for the linking to finish: a selfie that the platform asks for, and a block that is about to start. */
export function PendingActions() {
  useEffect(connectLive, []);
  const now = useNow(15_000);
  const snapshot = useSelector(liveStore, (live) => live.snapshot);
  if (!snapshot) return null;
  const { phase, held, warehouses } = snapshot;
  const block = held.find(({ endsAt }) => endsAt > now);
  return (
    <div className="grid gap-3">
      {phase.kind === "verification_required" && phase.url !== null && <SelfieButton url={phase.url} />}
      {block && <ArrivedButton block={block} now={now} timeZone={offerPlace(block, warehouses).timeZone} />}
    </div>
  );
}
