import type { Phase } from "../../../db/shapes/phase.ts";
import { m } from "../../messages/messages.js";
import { formatDayTime, formatTime, formatTimeWithSeconds } from "../language/format.ts";

/** `idle`: off or asleep because the driver wants it so. `waiting`: continues without the driver. */
export type PhaseTone = "good" | "idle" | "waiting" | "action_required";

export type PhaseMessage = { title: string; detail: string; tone: PhaseTone };

/** What the system is doing, for the driver. */
export function phaseMessage(phase: Phase, timeZone: string): PhaseMessage {
  switch (phase.kind) {
    case "off":
      return { title: m.phase_off(), detail: m.phase_off_detail(), tone: "idle" };
    case "asleep":
      return phase.until === null
        ? { title: m.phase_asleep_open(), detail: m.phase_asleep_open_detail(), tone: "action_required" }
        : {
            title: m.phase_asleep({ time: formatDayTime(phase.until, timeZone) }),
            detail: m.phase_asleep_detail(),
            tone: "idle",
          };
    case "polling":
      return { title: m.phase_polling(), detail: m.phase_polling_detail(), tone: "good" };
    case "throttled":
      return {
        title: m.phase_throttled({ time: formatTime(phase.until, timeZone) }),
        detail: m.phase_throttled_detail(),
        tone: "waiting",
      };
    case "weekly_limit":
      return {
        title: m.phase_weekly_limit(),
        detail: m.phase_weekly_limit_detail({ time: formatDayTime(phase.until, timeZone) }),
        tone: "waiting",
      };
    case "unreachable":
      return {
        title: m.phase_unreachable(),
        detail: m.phase_unreachable_detail({ time: formatTimeWithSeconds(phase.retryAt, timeZone) }),
        tone: "waiting",
      };
    case "needs_link":
      return { title: m.phase_needs_link(), detail: m.phase_needs_link_detail(), tone: "action_required" };
    case "verification_required":
      return {
        title: m.phase_verification(),
        detail: m.phase_verification_detail(),
        tone: "action_required",
      };
    case "no_service":
      return phase.waitingForSpot
        ? { title: m.phase_waiting_spot(), detail: m.phase_waiting_spot_detail(), tone: "waiting" }
        : { title: m.phase_no_service(), detail: m.phase_no_service_detail(), tone: "action_required" };
  }
}
