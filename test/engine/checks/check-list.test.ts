import { describe, expect, it } from "vitest";
import { checkList, type CheckFacts } from "../../../durable/engine/checks/check-list.ts";
import {
  CHECK_SUBJECTS,
  CHECKS,
  check,
  shiftNeed,
  type Check,
  type CheckSubject,
} from "../../../db/shapes/work/checks.ts";
import type { Profile } from "../../../db/shapes/profile.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { DriverState } from "../../../durable/engine/state/types.ts";
import { NO_LIMITS, type Limits } from "../../../db/shapes/work/filters.ts";
import {
  activeState,
  at,
  clock,
  makeBlock,
  makeFilters,
  makeOffer,
  makeProfile,
  NOON,
  SETTINGS,
  week,
} from "../fixtures.ts";

/** Wednesdays from 11:00 to 14:00, of which noon is one, and Thursdays. */
const MIDDAYS = makeFilters({ schedule: week(clock("11:00"), clock("14:00")) });
const TWO_PM = at("2026-06-10T14:00:00-04:00");

const driver = (fields: Partial<Profile> = {}, state: Partial<DriverState> = {}) =>
  activeState({ profile: makeProfile({ filters: MIDDAYS, ...fields }), ...state });

/** With blocks on Wednesday and Thursday; those of all days were read. */
const withLimits = (limits: Partial<Limits>) =>
  driver(
    { filters: { ...MIDDAYS, limits: { ...NO_LIMITS, ...limits } } },
    {
      held: [NOON, NOON + DAY_MS].map((startsAt) => makeBlock(makeOffer(`at-${startsAt}`, { startsAt }))),
      transient: { ...activeState().transient, heldReadFrom: NOON - 30 * DAY_MS },
    },
  );

const GOOD: CheckFacts = {
  state: driver({}, { contact: { ...activeState().contact, answeredAt: NOON - MINUTE_MS } }),
  now: NOON,
  settings: SETTINGS,
  texts: { status: "ok" },
  wantsTexts: true,
  isNumberPending: false,
  push: { browsers: 2, lostAt: null },
};

function lineOf(subject: CheckSubject, facts: Partial<CheckFacts>): Check | undefined {
  return checkList({ ...GOOD, ...facts }).find(({ code }) => CHECKS[code].subject === subject);
}

const quota = (fields: { limit: number; remaining: number; resetAt: number; windowMs: number }) => ({
  learned: {
    quota: { limit: fields.limit, remaining: fields.remaining, resetAt: fields.resetAt },
    longestResetMs: fields.windowMs,
    isWindowKnown: true,
    shortestTurnMs: null,
    anchorAt: fields.resetAt,
    windowFrom: NOON,
    rolls: false,
    othersPerWindow: 0,
    blockedUntil: 0,
  },
  polls: [],
});

describe("the list", () => {
  it("has a line of each subject, in their order, and all is well where it is", () => {
    const lines = checkList({
      ...GOOD,
      state: {
        ...GOOD.state,
        quotaMemory: quota({ limit: 20_000, remaining: 14_000, resetAt: NOON + HOUR_MS, windowMs: DAY_MS }),
      },
    });
    expect(lines.map(({ code }) => CHECKS[code].subject)).toEqual(CHECK_SUBJECTS);
    expect(lines).toEqual([
      { code: "link_good" },
      { code: "service_good", until: NOON + 30 * DAY_MS },
      { code: "hours_now", endsAt: TWO_PM, timeZone: "America/New_York" },
      { code: "platform_answers", at: NOON - MINUTE_MS },
      { code: "budget_left", left: 14_000, limit: 20_000, windowMs: DAY_MS, isDay: true },
      { code: "texts_arrive" },
      { code: "push_on", browsers: 2 },
    ]);
    expect(lines.map((line) => check.parse(line))).toEqual(lines);
  });

  it.each<[CheckSubject, string, Partial<CheckFacts>, Check | undefined]>([
    ["link", "never made", { state: driver({}, { link: { status: "unlinked" } }) }, { code: "link_missing" }],
    [
      "link",
      "ended by the platform",
      { state: driver({}, { link: { status: "signed_out" } }) },
      { code: "link_ended" },
    ],
    [
      "link",
      "that waits for a selfie",
      { state: driver({}, { verification: { url: null, since: NOON } }) },
      { code: "selfie_required" },
    ],
    [
      "service",
      "that ends within the hours",
      { state: driver({ serviceUntil: TWO_PM - 1 }) },
      { code: "service_ends_within", until: TWO_PM - 1 },
    ],
    [
      "service",
      "that ends as they end",
      { state: driver({ serviceUntil: TWO_PM }) },
      { code: "service_good", until: TWO_PM },
    ],
    ["service", "that is over", { state: driver({ serviceUntil: NOON }) }, { code: "service_over" }],
    ["service", "never paid", { state: driver({ serviceUntil: null }) }, { code: "service_over" }],
    [
      "service",
      "that waits for a spot",
      { state: driver({ waitingForSpot: true }) },
      { code: "service_waiting" },
    ],
    [
      "service",
      "in a pause",
      { state: driver({ pausedUntil: NOON + 1 }) },
      { code: "service_paused", until: NOON + 1 },
    ],
    [
      "service",
      "of a driver who always works, in an hour of its end",
      { state: driver({ filters: makeFilters(), serviceUntil: NOON + HOUR_MS }) },
      { code: "service_good", until: NOON + HOUR_MS },
    ],
    ["hours", "that have no end", { state: driver({ filters: makeFilters() }) }, { code: "hours_always" }],
    [
      "hours",
      "at no warehouse that is known",
      { state: driver({}, { warehouses: [] }) },
      { code: "hours_unknown" },
    ],
    [
      "hours",
      "of which the driver's limits leave none",
      { state: withLimits({ minutesPerWeek: 1 }) },
      { code: "limit_too_low" },
    ],
    [
      "hours",
      "that are full until a day that is free",
      { state: withLimits({ blocksPerDay: 1 }) },
      { code: "limit_reached", until: at("2026-06-12T11:00:00-04:00") - DAY_MS },
    ],
    ["hours", "of a driver who is off", { state: driver({ switchedOn: false }) }, { code: "switched_off" }],
    [
      "hours",
      "that never come",
      { state: driver({ filters: makeFilters({ schedule: week(0, 0, []) }) }) },
      { code: "hours_none" },
    ],
    [
      "hours",
      "that are over today",
      { now: TWO_PM },
      { code: "hours_ahead", startsAt: at("2026-06-11T11:00:00-04:00"), timeZone: "America/New_York" },
    ],
    [
      "platform",
      "that asks us to wait",
      { state: driver({}, { throttle: { step: 1, until: NOON + 1, since: NOON, isNotified: false } }) },
      { code: "platform_waits", until: NOON + 1 },
    ],
    [
      "platform",
      "that does not answer",
      { state: driver({}, { backoff: { failures: 3, retryAt: NOON + 1 } }) },
      { code: "platform_silent", at: null },
    ],
    [
      "platform",
      "that nobody asks for a driver who is off",
      { state: driver({ switchedOn: false }) },
      { code: "platform_not_asked" },
    ],
    ["platform", "whose last known answer is old", { now: NOON + HOUR_MS }, { code: "platform_asked" }],
    [
      "platform",
      "that answers from a clock that was set back",
      { now: NOON - HOUR_MS },
      { code: "platform_asked" },
    ],
    [
      "platform",
      "whose blocks can't be read",
      { state: driver({}, { contact: { ...activeState().contact, blocksUnreadableSince: NOON - HOUR_MS } }) },
      { code: "platform_unread" },
    ],
    [
      "platform",
      "that gives no more blocks this week",
      {
        state: driver(
          {},
          { weeklyLimit: [{ startsAt: NOON - DAY_MS, endsAt: NOON + DAY_MS, minutes: 30, refusedAt: NOON }] },
        ),
      },
      { code: "platform_week_full", until: NOON + DAY_MS },
    ],
    [
      "platform",
      "whose looks are used up",
      { state: { ...GOOD.state, quotaWaitUntil: NOON + HOUR_MS } },
      { code: "platform_answers", at: NOON - MINUTE_MS },
    ],
    ["budget", "that nothing is known of", {}, { code: "budget_unknown" }],
    [
      "budget",
      "of a minute, which began anew",
      {
        state: driver(
          {},
          { quotaMemory: quota({ limit: 60, remaining: 2, resetAt: NOON - 1, windowMs: MINUTE_MS }) },
        ),
      },
      { code: "budget_left", left: 60, limit: 60, windowMs: MINUTE_MS, isDay: false },
    ],
    [
      "budget",
      "that is used up",
      { state: driver({}, { quotaWaitUntil: NOON + 1 }) },
      { code: "budget_used_up", until: NOON + 1 },
    ],
    [
      "texts",
      "that the driver chose none of",
      { wantsTexts: false, texts: { status: "stopped", since: NOON } },
      { code: "texts_off" },
    ],
    ["texts", "to a number that is not proved", { isNumberPending: true }, { code: "texts_unproved" }],
    ["texts", "that were stopped", { texts: { status: "stopped", since: NOON } }, { code: "texts_stopped" }],
    [
      "texts",
      "that are paused",
      { texts: { status: "paused", problem: "landline", since: NOON } },
      { code: "texts_paused" },
    ],
    [
      "texts",
      "of which the last did not arrive",
      { texts: { status: "failing", problem: "landline", since: NOON } },
      { code: "texts_failing" },
    ],
    ["texts", "that nobody could ask about", { texts: null }, { code: "texts_unknown" }],
    ["push", "of a browser that was lost", { push: { browsers: 0, lostAt: NOON } }, { code: "push_lost" }],
    [
      "push",
      "of another that still listens",
      { push: { browsers: 1, lostAt: NOON } },
      { code: "push_on", browsers: 1 },
    ],
    ["push", "of none, where texts arrive", { push: { browsers: 0, lostAt: null } }, { code: "push_none" }],
    [
      "push",
      "of none, and no texts",
      { wantsTexts: false, push: { browsers: 0, lostAt: null } },
      { code: "push_needed" },
    ],
    ["push", "of a deployment without", { push: null }, undefined],
  ])("says of the %s %s what it is", (subject, _case, facts, expected) => {
    expect(lineOf(subject, facts)).toEqual(expected);
  });
});

it("each need that a driver hears of has the address that mends it", () => {
  for (const need of shiftNeed.options)
    expect(CHECKS[need]).toEqual({
      ...CHECKS[need],
      state: "attention",
      action: expect.stringMatching(/^\/flex\//),
    });
});
