import { lazy, Suspense, type ComponentType } from "react";
import { useUser } from "../session/use-user.ts";

/** Few drivers wait, so it is in no screen's own code. Where it can't be fetched, neither can their place. */
const WaitingSpot = lazy<ComponentType>(() =>
  import("./waiting-spot.tsx").then(
    (loaded) => ({ default: loaded.WaitingSpot }),
    () => ({ default: () => null }),
  ),
);

/** On screens that work without a spot, for drivers who have none. */
export function SpotNotice() {
  if (!useUser().waitingForSpot) return null;
  return (
    <Suspense fallback={null}>
      <WaitingSpot />
    </Suspense>
  );
}
