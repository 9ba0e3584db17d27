import type { Snapshot } from "../../../db/shapes/work/live.ts";
import { m } from "../../messages/messages.js";

/** When capturing goes on is up to the driver, not to this device's connection. */
const NOT_CAPTURING = ["off", "needs_link", "verification_required", "no_service"];

/** What a screen says while the device is offline: since when, and that captures go on, where they may. */
export function offlineText(time: string, snapshot: Pick<Snapshot, "phase"> | null): string {
  const since = m.live_offline({ time });
  const isCapturing = !snapshot || !NOT_CAPTURING.includes(snapshot.phase.kind);
  return isCapturing ? `${since} ${m.live_offline_on()}` : since;
}
