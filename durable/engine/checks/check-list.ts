import type { TextDelivery } from "../../../db/shapes/text-delivery.ts";
import { DAY_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import type { Check } from "../../../db/shapes/work/checks.ts";
import { phaseOf } from "../phase.ts";
import { windowMsOf } from "../quota/window.ts";
import { lastAnswerAt } from "../contact.ts";
import { isPaused } from "../state/service-notifications.ts";
import type { DriverState, EngineSettings } from "../state/types.ts";
import { hoursFrom, type Hours } from "./hours.ts";

/** An answer of so long ago says nothing of now. */
const ANSWER_COUNTS_MS = 15 * MINUTE_MS;
/** Hours that go on for so long have no end to speak of. */
const ALWAYS_MS = 7 * DAY_MS;
/** A quota that counts by so long counts by the day. */
const LEAST_DAY_MS = 0.8 * DAY_MS;

/** Everything that the list is made of. */
export type CheckFacts = {
  state: DriverState;
  now: EpochMs;
  settings: EngineSettings;
  /** Whether texts reach the driver's number; null if that could not be asked. */
  texts: TextDelivery | null;
  /** Whether the driver wants texts of anything. */
  wantsTexts: boolean;
  /** Whether the driver's preferred number is not proved yet. */
  isNumberPending: boolean;
  /** The browsers that listen, and when the last one was lost; null where the deployment sends no push messages. */
  push: { browsers: number; lostAt: EpochMs | null } | null;
};

/** The list of what has to be right for a capture, and for the driver to hear of it: a line of each subject, in their order. */
export function checkList(facts: CheckFacts): Check[] {
  const texts = textsCheck(facts);
  const push = pushCheck(facts, texts);
  return [
    linkCheck(facts.state),
    serviceCheck(facts),
    hoursCheck(facts),
    platformCheck(facts),
    budgetCheck(facts),
    texts,
    ...(push ? [push] : []),
  ];
}

function linkCheck({ link, verification }: DriverState): Check {
  if (link.status === "unlinked") return { code: "link_missing" };
  if (link.status === "signed_out") return { code: "link_ended" };
  return { code: verification ? "selfie_required" : "link_good" };
}

function serviceCheck(facts: CheckFacts): Check {
  const { state, now } = facts;
  const { profile } = state;
  if (profile?.waitingForSpot) return { code: "service_waiting" };
  const until = profile?.serviceUntil ?? null;
  if (until === null || until <= now) return { code: "service_over" };
  if (isPaused(profile, now)) return { code: "service_paused", until: profile?.pausedUntil ?? now };
  const hours = nextHours(facts);
  const code =
    hours && until < hours.closesAt && isBefore(until, hours) ? "service_ends_within" : "service_good";
  return { code, until };
}

/** Nobody needs to hear today of hours that begin weeks after the end, or that never end. */
function isBefore(until: EpochMs, { opensAt, closesAt }: Hours): boolean {
  return closesAt - opensAt <= DAY_MS && opensAt - until <= DAY_MS;
}

function hoursCheck(facts: CheckFacts): Check {
  const { state, now, settings } = facts;
  if (!state.profile?.switchedOn) return { code: "switched_off" };
  if (state.warehouses.length === 0) return { code: "hours_unknown" };
  const phase = phaseOf(state, now, settings);
  if (phase.kind === "limit_reached")
    return phase.until === null ? { code: "limit_too_low" } : { code: "limit_reached", until: phase.until };
  const hours = nextHours(facts);
  if (!hours) return { code: "hours_none" };
  if (hours.closesAt - now > ALWAYS_MS) return { code: "hours_always" };
  const { opensAt, closesAt, timeZone } = hours;
  return opensAt > now
    ? { code: "hours_ahead", startsAt: opensAt, timeZone }
    : { code: "hours_now", endsAt: closesAt, timeZone };
}

function nextHours({ state: { profile, warehouses }, now }: CheckFacts): Hours | null {
  return (profile && hoursFrom(profile, warehouses, now)[0]) ?? null;
}

function platformCheck({ state, now, settings }: CheckFacts): Check {
  const phase = phaseOf(state, now, settings);
  const at = lastAnswerAt(state);
  switch (phase.kind) {
    case "throttled":
      return { code: "platform_waits", until: phase.until };
    case "unreachable":
      return { code: "platform_silent", at };
    case "unreadable":
    case "blocks_unreadable":
      return { code: "platform_unread" };
    case "weekly_limit":
      return { code: "platform_week_full", until: phase.until };
    case "quota_used_up":
      // The line of the quota says why nothing was asked since.
      return at === null ? { code: "platform_not_asked" } : { code: "platform_answers", at };
    default:
      // An instant that is still to come is none: our clock was set back.
      if (at !== null && at <= now && now - at < ANSWER_COUNTS_MS) return { code: "platform_answers", at };
      // After a restart its last answer may be known as one of long ago.
      return { code: phase.kind === "polling" ? "platform_asked" : "platform_not_asked" };
  }
}

function budgetCheck({ state, now }: CheckFacts): Check {
  const { quotaWaitUntil, transient, quotaMemory, link } = state;
  if (quotaWaitUntil !== null && quotaWaitUntil > now)
    return { code: "budget_used_up", until: quotaWaitUntil };
  const learned = transient.quota ?? quotaMemory?.learned ?? null;
  if (link.status !== "linked" || learned === null || learned.quota.limit <= 0)
    return { code: "budget_unknown" };
  const { limit, remaining, resetAt } = learned.quota;
  const windowMs = Math.round(windowMsOf(learned));
  const left = resetAt <= now ? limit : Math.min(limit, Math.max(0, remaining));
  return { code: "budget_left", left, limit, windowMs, isDay: windowMs >= LEAST_DAY_MS };
}

function textsCheck({ texts, wantsTexts, isNumberPending }: CheckFacts): Check {
  if (!wantsTexts) return { code: "texts_off" };
  switch (texts?.status) {
    case "stopped":
      return { code: "texts_stopped" };
    case "paused":
      return { code: "texts_paused" };
    case "failing":
      return { code: "texts_failing" };
    case "ok":
      return { code: isNumberPending ? "texts_unproved" : "texts_arrive" };
    case "other":
    case undefined:
      return { code: "texts_unknown" };
  }
}

function pushCheck({ push }: CheckFacts, texts: Check): Check | null {
  if (push === null) return null;
  if (push.browsers > 0) return { code: "push_on", browsers: push.browsers };
  if (push.lostAt !== null) return { code: "push_lost" };
  const reachesNobody =
    texts.code === "texts_off" || texts.code === "texts_stopped" || texts.code === "texts_paused";
  return { code: reachesNobody ? "push_needed" : "push_none" };
}
