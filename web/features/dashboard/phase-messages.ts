import type { Phase } from "../../../db/shapes/work/phase.ts";
import { dayOfDate, weekdayOf } from "../../../db/shapes/work/local-date.ts";
import { DAY_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { formatDate, formatTime, formatUntil, formatWeekday } from "../language/format.ts";

/**
 * The look of the switch and its card. `answering`: the platform's answers arrive. `starting`: none has yet. `waiting`:
 * continues without the driver. `action_required`: doesn't. `asleep` and `off`: the driver wants it so.
 */
export type Light = "answering" | "starting" | "waiting" | "action_required" | "asleep" | "off";

export type PhaseMessage = { title: string; detail: string; light: Light };

/** When the platform is asked again; null where nobody counts the seconds until then. */
export function retryAtOf(phase: Phase): EpochMs | null {
  switch (phase.kind) {
    case "throttled":
    case "quota_used_up":
      return phase.until;
    case "unreachable":
      return phase.retryAt;
    default:
      return null;
  }
}

/** The light of a phase, which shines only once the platform has answered. */
export function lightOf({ light }: PhaseMessage, lastPollAt: EpochMs | null): Light {
  return light === "answering" && lastPollAt === null ? "starting" : light;
}

/** The system's activity, for the driver. */
export function phaseMessage(phase: Phase, reading: { timeZone: string; now: EpochMs }): PhaseMessage {
  switch (phase.kind) {
    case "off":
      return { title: m.phase_off(), detail: m.phase_off_detail(), light: "off" };
    case "asleep":
      return phase.until === null
        ? { title: m.phase_asleep_open(), detail: m.phase_asleep_open_detail(), light: "action_required" }
        : {
            title: m.phase_asleep({ until: formatUntil(phase.until, reading) }),
            detail: m.phase_asleep_detail(),
            light: "asleep",
          };
    case "polling":
      return { title: m.phase_polling(), detail: m.phase_polling_detail(), light: "answering" };
    case "throttled":
      return {
        title: m.phase_throttled({ until: formatUntil(phase.until, reading) }),
        detail: m.phase_throttled_detail(),
        light: "waiting",
      };
    case "quota_used_up":
      return {
        title: m.phase_quota_used_up({ until: formatUntil(phase.until, reading) }),
        detail: m.phase_quota_used_up_detail(),
        light: "waiting",
      };
    case "weekly_limit":
      return {
        title: m.phase_weekly_limit(),
        detail: m.phase_weekly_limit_detail({ time: formatTime(phase.until, reading) }),
        light: "waiting",
      };
    case "limit_reached":
      return limitMessage(phase, reading);
    case "unreachable":
      return {
        title: m.phase_unreachable(),
        detail: m.phase_unreachable_detail(),
        light: "waiting",
      };
    case "unreadable":
      return { title: m.phase_unreadable(), detail: m.phase_unreadable_detail(), light: "waiting" };
    case "blocks_unreadable": {
      const since = formatTime(phase.since, reading);
      return {
        title: m.phase_blocks_unreadable(),
        detail: phase.isCapturing
          ? m.phase_blocks_unreadable_detail({ since })
          : m.phase_blocks_unreadable_secure({ since }),
        light: "waiting",
      };
    }
    case "needs_link":
      return { title: m.phase_needs_link(), detail: m.phase_needs_link_detail(), light: "action_required" };
    case "verification_required":
      return {
        title: m.phase_verification(),
        detail: phase.url === null ? m.phase_verification_elsewhere() : m.phase_verification_detail(),
        light: "action_required",
      };
    case "no_service":
      return phase.waitingForSpot
        ? { title: m.phase_waiting_spot(), detail: m.phase_waiting_spot_detail(), light: "waiting" }
        : { title: m.phase_no_service(), detail: m.phase_no_service_detail(), light: "action_required" };
    case "other":
      return { title: m.phase_other(), detail: m.phase_other_detail(), light: "waiting" };
  }
}

const LIMIT_TITLES = { day: m.phase_limit_day, week: m.phase_limit_week, goal: m.phase_limit_goal };
const DAYS_WITH_NAMES = 6;

function limitMessage(
  { limit, until, day }: Extract<Phase, { kind: "limit_reached" }>,
  reading: { timeZone: string; now: EpochMs },
): PhaseMessage {
  if (until === null || day === null)
    return { title: m.phase_limit_open(), detail: m.phase_limit_open_detail(), light: "action_required" };
  const number = dayOfDate(day);
  const isSoon = number - Math.floor(reading.now / DAY_MS) <= DAYS_WITH_NAMES;
  const name = isSoon ? formatWeekday(weekdayOf(number)) : formatDate(number * DAY_MS, "UTC");
  return {
    title: LIMIT_TITLES[limit]({ day: name }),
    detail: m.phase_limit_detail({ time: formatTime(until, reading) }),
    light: "asleep",
  };
}

/** The state while the driver's service is paused; null if it isn't, or if something else keeps us from working. */
export function pausedMessage(
  { phase, pausedUntil }: { phase: Phase; pausedUntil?: EpochMs | null | undefined },
  reading: { timeZone: string; now: EpochMs },
): PhaseMessage | null {
  if (phase.kind !== "asleep" || !pausedUntil || pausedUntil <= reading.now) return null;
  const until = formatUntil(pausedUntil, reading);
  return { title: m.phase_paused({ until }), detail: m.phase_paused_detail(), light: "asleep" };
}
