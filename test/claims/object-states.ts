import { DAY_MS, HOUR_MS, MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import { weekdayOf } from "../../db/shapes/work/local-date.ts";
import { NO_LIMITS, type Limits } from "../../db/shapes/work/filters.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import { CLEAN_THROTTLE } from "../../durable/engine/state/cadence.ts";
import type { LearnedQuota } from "../../durable/engine/quota/quota.ts";
import type { DriverState } from "../../durable/engine/state/types.ts";
import { createZone, dayOf } from "../../durable/engine/schedule/zone.ts";
import {
  activeState,
  makeBlock,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouse,
  week,
} from "../engine/fixtures.ts";
import { heardAtIn, PAUSE_MS, serviceUntilIn, type CaseName, type Cell } from "./states.ts";

/** The calls that the platform allows in a minute, and those that are left. */
export const LOOKS = { left: 280, limit: 300 };

const DAY_MINUTES = 24 * 60;

type Difference = (now: EpochMs) => { profile?: Partial<Profile>; state?: Partial<DriverState> };

const limited =
  (limits: Partial<Limits>): Difference =>
  (now) => ({
    profile: { filters: makeFilters({ limits: { ...NO_LIMITS, ...limits } }) },
    state: { held: heldNow(now), transient: readBy(now) },
  });

/** The difference of each case from a driver who is on, linked and paid up. */
const DIFFERENCES: Record<CaseName, Difference> = {
  off: () => ({ profile: { switchedOn: false } }),
  off_unlinked: () => ({ profile: { switchedOn: false }, state: { link: { status: "unlinked" } } }),
  asleep: (now) => ({ profile: { filters: makeFilters({ schedule: hourFrom(now + 29 * HOUR_MS) }) } }),
  asleep_open: () => ({ profile: { filters: makeFilters({ schedule: week(0, 0, []) }) } }),
  paused: (now) => ({ profile: { pausedUntil: now + PAUSE_MS } }),
  polling: () => ({}),
  throttled: (now) => ({
    state: { throttle: { ...CLEAN_THROTTLE, step: 1, until: now + 40 * MINUTE_MS, since: now } },
  }),
  quota_used_up: (now) => ({ state: { quotaWaitUntil: now + 40 * MINUTE_MS } }),
  weekly_limit: (now) => ({
    state: {
      weeklyLimit: [{ startsAt: now - DAY_MS, endsAt: now + 5 * HOUR_MS, minutes: 30, refusedAt: now - 1 }],
    },
  }),
  limit_reached: limited({ blocksPerDay: 1 }),
  limit_reached_open: limited({ minutesPerWeek: 1 }),
  unreachable: (now) => ({ state: { backoff: { failures: 6, retryAt: now + 50_000 } } }),
  unreadable: (now) => ({
    state: {
      contact: { ...contactAt(now), offersUnreadableSince: now - 20 * MINUTE_MS },
      transient: { ...activeState().transient, offersUnreadableAt: now },
    },
  }),
  blocks_unreadable: (now) => ({
    state: { contact: { ...contactAt(now), blocksUnreadableSince: now - 20 * MINUTE_MS } },
  }),
  blocks_unreadable_secure: (now) => ({
    profile: { mode: "secure" },
    state: { contact: { ...contactAt(now), blocksUnreadableSince: now - 20 * MINUTE_MS } },
  }),
  needs_link: () => ({ state: { link: { status: "signed_out" } } }),
  verification_required: (now) => ({
    state: { verification: { url: "https://platform.example/selfie", since: now - HOUR_MS } },
  }),
  no_service: () => ({}),
  no_spot: () => ({ profile: { waitingForSpot: true } }),
};

/** The state of the driver's object in a cell, from which it answers. */
export function objectStateIn(cell: Cell, now: EpochMs): DriverState {
  const { profile, state } = DIFFERENCES[cell.name](now);
  const serviceUntil = serviceUntilIn(cell, now);
  return activeState({
    quotaMemory: { learned: quotaAt(now), polls: [] },
    ...state,
    profile: makeProfile({ serviceUntil, ...profile }),
    contact: { ...contactAt(now), ...state?.contact, answeredAt: heardAtIn(cell, now) },
  });
}

const contactAt = (now: EpochMs) => ({ ...activeState().contact, blocksReadAt: now });

/** From when on the held blocks are known. */
const readBy = (now: EpochMs) => ({ ...activeState().transient, heldReadFrom: now - 30 * DAY_MS });

/** A block today and one tomorrow. */
const heldNow = (now: EpochMs) =>
  [now, now + DAY_MS].map((startsAt) => makeBlock(makeOffer(`at-${startsAt}`, { startsAt })));

/** One hour a week: that which begins at an instant, on the warehouse's clock. */
function hourFrom(at: EpochMs) {
  const wall = createZone(makeWarehouse().timeZone).wallAt(at);
  const start = Math.floor(wall / MINUTE_MS) % DAY_MINUTES;
  return week(start, (start + 60) % DAY_MINUTES, [weekdayOf(dayOf(wall))]);
}

function quotaAt(now: EpochMs): LearnedQuota {
  const resetAt = now + 40_000;
  return {
    quota: { limit: LOOKS.limit, remaining: LOOKS.left, resetAt },
    longestResetMs: MINUTE_MS,
    isWindowKnown: true,
    shortestTurnMs: null,
    anchorAt: resetAt,
    windowFrom: now - 20_000,
    rolls: false,
    othersPerWindow: 0,
    blockedUntil: 0,
  };
}
