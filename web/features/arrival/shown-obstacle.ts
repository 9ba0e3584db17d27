import { possibleNow, type CheckInObstacle } from "../../../db/shapes/work/possible-now.ts";
import type { Snapshot } from "../../../db/shapes/work/live.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { useOnline } from "../../ui/use-online.ts";

/** The obstacle to a check-in from this device, which needs a connection for it. */
export type ShownObstacle = CheckInObstacle | { kind: "offline" };

/** The obstacle to a check-in here and now; null if there is none. */
export function useCheckInObstacle(
  system: Pick<Snapshot, "phase" | "isLinked">,
  now: EpochMs,
): ShownObstacle | null {
  const isOnline = useOnline();
  return isOnline ? possibleNow(system, now).checkInObstacle : { kind: "offline" };
}
