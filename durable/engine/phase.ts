import { awakeFrom } from "./awake.ts";
import { hasService } from "./state/callable.ts";
import { areCountedRead } from "./verdicts/counted-blocks.ts";
import { isInFlight } from "./attempts/in-flight.ts";
import { MODE_RULES } from "./selection/modes.ts";
import { blocksUnreadableSince, offersUnreadableSince } from "./reading/contact.ts";
import { fullWeekAt } from "./verdicts/weekly-limit.ts";
import type { DriverState, EngineSettings, StepContext } from "./state/types.ts";
import { dateOfDay } from "../../db/shapes/work/local-date.ts";
import type { Phase } from "../../db/shapes/work/phase.ts";
import type { EpochMs } from "../../db/shapes/units.ts";

/**
 * The phase that the driver sees. A state that the driver must act on comes before one that passes by itself.
 * `unreachable` lasts until a call succeeds, `throttled` until its deadline.
 */
export function phaseOf(state: DriverState, now: EpochMs, settings: EngineSettings): Phase {
  const { profile, link, verification, throttle, backoff, quotaWaitUntil } = state;
  if (!profile?.switchedOn) return { kind: "off" };
  if (link.status !== "linked") return { kind: "needs_link" };
  if (!hasService(profile, now)) return { kind: "no_service", waitingForSpot: profile.waitingForSpot };
  if (verification) return { kind: "verification_required", url: verification.url };
  const { awake, fullBy } = awakeFrom(state, profile, { now, settings });
  if (awake === null || awake.at > now) {
    const until = awake?.at ?? null;
    if (fullBy === null) return { kind: "asleep", until };
    return { kind: "limit_reached", limit: fullBy, until, day: awake ? dateOfDay(awake.day) : null };
  }
  if (throttle.until !== null && throttle.until > now) return { kind: "throttled", until: throttle.until };
  const unreadableSince = offersUnreadableSince(state);
  if (unreadableSince !== null) return { kind: "unreadable", since: unreadableSince };
  if (backoff.retryAt !== null) return { kind: "unreachable", retryAt: backoff.retryAt };
  // While the poll at its end is in flight it may turn into the next wait.
  if (quotaWaitUntil !== null && (quotaWaitUntil > now || isInFlight(state, "poll", now)))
    return { kind: "quota_used_up", until: quotaWaitUntil };
  const blocksSince = blocksUnreadableSince(state, now);
  if (blocksSince !== null) {
    const isKnown = state.transient.heldFetchedAt !== null && areCountedRead(state, now);
    const isCapturing = !MODE_RULES[profile.mode].readsBlocksFirst && isKnown;
    return { kind: "blocks_unreadable", since: blocksSince, isCapturing };
  }
  const full = fullWeekAt(state, now);
  if (full) return { kind: "weekly_limit", until: full.until };
  return { kind: "polling" };
}

/** Whether a limit keeps the driver from taking any block now. */
export function isLimitReached(state: DriverState, { now, settings }: StepContext): boolean {
  return phaseOf(state, now, settings).kind === "limit_reached";
}
