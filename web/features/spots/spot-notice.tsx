import { Suspense } from "react";
import { lazyOptional } from "../../ui/lazy-optional.ts";
import { useUser } from "../session/use-user.ts";

/** Few drivers wait, so it is in no screen's own code. Where it can't be fetched, neither can their place. */
const WaitingSpot = lazyOptional(async () => (await import("./waiting-spot.tsx")).WaitingSpot);

/** On screens that work without a spot, for drivers who have none. */
export function SpotNotice() {
  if (!useUser().waitingForSpot) return null;
  return (
    <Suspense fallback={null}>
      <WaitingSpot />
    </Suspense>
  );
}
