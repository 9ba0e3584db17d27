import type { Phase } from "../../../durable/engine/types.ts";
import { m } from "../../messages/messages.js";
import { sayDayTime, sayTime, sayTimeToTheSecond } from "../language/format.ts";

/** `good` runs, `idle` rests by the driver's will, `wait` goes on by itself, `needs` waits for the driver. */
export type PhaseTone = "good" | "idle" | "wait" | "needs";

export type PhaseWords = { title: string; detail: string; tone: PhaseTone };

/** What the system does, in words. */
export function sayPhase(phase: Phase, timeZone: string): PhaseWords {
  switch (phase.kind) {
    case "off":
      return { title: m.phase_off(), detail: m.phase_off_detail(), tone: "idle" };
    case "asleep":
      return phase.until === null
        ? { title: m.phase_asleep_open(), detail: m.phase_asleep_open_detail(), tone: "needs" }
        : {
            title: m.phase_asleep({ time: sayDayTime(phase.until, timeZone) }),
            detail: m.phase_asleep_detail(),
            tone: "idle",
          };
    case "polling":
      return { title: m.phase_polling(), detail: m.phase_polling_detail(), tone: "good" };
    case "throttled":
      return {
        title: m.phase_throttled({ time: sayTime(phase.until, timeZone) }),
        detail: m.phase_throttled_detail(),
        tone: "wait",
      };
    case "unreachable":
      return {
        title: m.phase_unreachable(),
        detail: m.phase_unreachable_detail({ time: sayTimeToTheSecond(phase.retryAt, timeZone) }),
        tone: "wait",
      };
    case "needs_link":
      return { title: m.phase_needs_link(), detail: m.phase_needs_link_detail(), tone: "needs" };
    case "verification_required":
      return { title: m.phase_verification(), detail: m.phase_verification_detail(), tone: "needs" };
    case "no_service":
      return phase.waitingForSpot
        ? { title: m.phase_waiting_spot(), detail: m.phase_waiting_spot_detail(), tone: "wait" }
        : { title: m.phase_no_service(), detail: m.phase_no_service_detail(), tone: "needs" };
  }
}
