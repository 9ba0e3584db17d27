import type { EpochMs } from "../../../db/shapes/units.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { m } from "../../messages/messages.js";
import { formatDistance, formatTime, formatUntil } from "../language/format.ts";
import { errorMessage } from "../language/error-messages.ts";
import type { ArrivalStatus } from "./arrival-status.ts";
import type { ShownObstacle } from "./shown-obstacle.ts";

/** `waiting`: continues without the driver. */
type Tone = "done" | "waiting" | "action_required";

export type ArrivalMessage = { title: string; text: string; tone: Tone };

/** The status and what to do about it. `instant`: the page doesn't retry on its own. */
export function arrivalMessage(
  status: ArrivalStatus,
  { instant, timeZone, now }: { instant: boolean; timeZone: string; now: EpochMs },
): ArrivalMessage {
  switch (status.kind) {
    case "none":
      return { title: m.arrival_none(), text: m.arrival_none_text(), tone: "action_required" };
    case "prevented":
      return preventedMessage(status.obstacle, { instant, timeZone, now });
    case "locating":
      return { title: m.arrival_locating(), text: m.arrival_locating_text(), tone: "waiting" };
    case "denied":
      return { title: m.arrival_denied(), text: m.arrival_denied_text(), tone: "action_required" };
    case "unavailable":
      return { title: m.arrival_unavailable(), text: m.arrival_unavailable_text(), tone: "action_required" };
    case "coarse": {
      const accuracy = formatDistance(status.accuracyMeters);
      return {
        title: m.arrival_coarse(),
        text: m.arrival_coarse_text({ accuracy }),
        tone: "action_required",
      };
    }
    case "outside":
      return {
        title:
          status.distanceMeters === null
            ? m.arrival_outside_plain()
            : m.arrival_outside({ distance: formatDistance(status.distanceMeters) }),
        text: instant ? m.arrival_outside_instant_text() : m.arrival_outside_text(),
        tone: "waiting",
      };
    case "early":
      return earlyMessage(status.opensAt, { instant, timeZone, now });
    case "inside":
      return {
        title: m.arrival_inside(),
        text: instant ? m.arrival_inside_instant_text() : m.arrival_checking_text(),
        tone: "waiting",
      };
    case "checking":
      return { title: m.arrival_checking(), text: m.arrival_checking_text(), tone: "waiting" };
    case "late":
      return { title: m.arrival_late(), text: m.arrival_late_text(), tone: "action_required" };
    case "other":
      return { title: m.arrival_other(), text: m.arrival_other_text(), tone: "action_required" };
    case "done":
      return {
        title: m.arrival_done(),
        text: status.already ? m.arrival_done_already_text() : m.arrival_done_text(),
        tone: "done",
      };
    case "failed": {
      const message = checkInErrorMessage(status.error);
      const text = status.willRetry && !instant ? `${message} ${m.arrival_failed_again()}` : message;
      return { title: m.arrival_failed(), text, tone: "action_required" };
    }
  }
}

function preventedMessage(
  obstacle: ShownObstacle,
  { instant, timeZone, now }: { instant: boolean; timeZone: string; now: EpochMs },
): ArrivalMessage {
  switch (obstacle.kind) {
    case "not_linked":
      return { title: m.arrival_not_linked(), text: m.arrival_failed_link(), tone: "action_required" };
    case "verification_required":
      return {
        title: m.phase_verification(),
        text: m.problem_verification_required(),
        tone: "action_required",
      };
    case "wait":
      return {
        title: m.phase_throttled({ until: formatUntil(obstacle.until, { timeZone, now }) }),
        text: instant ? m.arrival_wait_instant_text() : m.arrival_wait_text(),
        tone: "waiting",
      };
    case "offline":
      return {
        title: m.offline_title(),
        text: instant ? m.arrival_offline_instant_text() : m.arrival_offline_text(),
        tone: "waiting",
      };
  }
}

function earlyMessage(
  opensAt: number | null,
  { instant, timeZone, now }: { instant: boolean; timeZone: string; now: EpochMs },
): ArrivalMessage {
  if (opensAt === null) {
    const text = instant ? m.arrival_early_instant_text() : m.arrival_early_plain_text();
    return { title: m.arrival_early_plain(), text, tone: "waiting" };
  }
  return {
    title: m.arrival_early({ time: formatTime(opensAt, { timeZone, now }) }),
    text: instant ? m.arrival_early_instant_text() : m.arrival_early_text(),
    tone: "waiting",
  };
}

function checkInErrorMessage(error: unknown): string {
  switch (errorCodeOf(error)) {
    case "invalid_request":
      return m.arrival_failed_clock();
    case "not_linked":
      return m.arrival_failed_link();
    case "not_found":
      return m.arrival_failed_gone();
    default:
      return errorMessage(error);
  }
}
