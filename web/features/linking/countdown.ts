import type { EpochMs } from "../../../db/shapes/units.ts";
import { useNow } from "../../ui/use-now.ts";

/** Whole seconds until an instant, told anew each second; 0 once it has come. */
export function useSecondsUntil(at: EpochMs): number {
  const now = useNow(1000);
  return Math.max(0, Math.ceil((at - now) / 1000));
}

/** `9:41`, of seconds. */
export function formatCountdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
