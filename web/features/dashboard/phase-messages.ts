import type { Phase } from "../../../db/shapes/phase.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { formatTime, formatUntil } from "../language/format.ts";

/** `idle`: off or asleep because the driver wants it so. `waiting`: continues without the driver. */
export type PhaseTone = "good" | "idle" | "waiting" | "action_required";

export type PhaseMessage = { title: string; detail: string; tone: PhaseTone };

/** What the system is doing, for the driver. */
export function phaseMessage(phase: Phase, reading: { timeZone: string; now: EpochMs }): PhaseMessage {
  switch (phase.kind) {
    case "off":
      return { title: m.phase_off(), detail: m.phase_off_detail(), tone: "idle" };
    case "asleep":
      return phase.until === null
        ? { title: m.phase_asleep_open(), detail: m.phase_asleep_open_detail(), tone: "action_required" }
        : {
            title: m.phase_asleep({ until: formatUntil(phase.until, reading) }),
            detail: m.phase_asleep_detail(),
            tone: "idle",
          };
    case "polling":
      return { title: m.phase_polling(), detail: m.phase_polling_detail(), tone: "good" };
    case "throttled":
      return {
        title: m.phase_throttled({ until: formatUntil(phase.until, reading) }),
        detail: m.phase_throttled_detail(),
        tone: "waiting",
      };
    case "quota_used_up":
      return {
        title: m.phase_quota_used_up({ until: formatUntil(phase.until, reading) }),
        detail: m.phase_quota_used_up_detail(),
        tone: "waiting",
      };
    case "weekly_limit":
      return {
        title: m.phase_weekly_limit(),
        detail: m.phase_weekly_limit_detail({ time: formatTime(phase.until, reading) }),
        tone: "waiting",
      };
    case "unreachable":
      return {
        title: m.phase_unreachable(),
        detail: m.phase_unreachable_detail({
          time: formatTime(phase.retryAt, { ...reading, seconds: true }),
        }),
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
