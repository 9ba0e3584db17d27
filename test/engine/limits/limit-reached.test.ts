import { describe, expect, it } from "vitest";
import { NO_LIMITS, type Filters, type Limits } from "../../../db/shapes/work/filters.ts";
import type { Phase } from "../../../db/shapes/work/phase.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { nextWakeAt } from "../../../durable/engine/next-wake.ts";
import { phaseOf } from "../../../durable/engine/phase.ts";
import type { DriverState, TransientState } from "../../../durable/engine/state/types.ts";
import {
  at,
  ctx,
  idOf,
  kinds,
  makeBlock,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouse,
  makeWarehouseFilter,
  NOON,
  SETTINGS,
  week,
} from "../fixtures.ts";
import { transientState } from "../parts.ts";
import { runSimulation, SimulatedPlatform } from "../simulate.ts";
import { after, answer, listed, polled, wake } from "../steps.ts";

const LOS_ANGELES = idOf.warehouse("DLA5");
const READ_FROM = NOON - 30 * DAY_MS;

/** A driver of such limits in New York, and where told in Los Angeles, whose blocks were all read at noon. */
function within(
  limits: Partial<Limits>,
  held: readonly Block[],
  { filters = {}, transient = {} }: { filters?: Partial<Filters>; transient?: Partial<TransientState> } = {},
): DriverState {
  return transientState(
    { heldReadFrom: READ_FROM, heldAskedFrom: READ_FROM, ...transient },
    {
      held,
      profile: makeProfile({ filters: makeFilters({ limits: { ...NO_LIMITS, ...limits }, ...filters }) }),
      warehouses: [
        makeWarehouse(),
        makeWarehouse({ warehouseId: LOS_ANGELES, timeZone: "America/Los_Angeles" }),
      ],
    },
  );
}

const blockAt = (startsAt: string): Block => makeBlock(makeOffer(startsAt, { startsAt: at(startsAt) }));
const WEDNESDAY = blockAt("2026-06-10T15:00:00-04:00");
const THURSDAY = blockAt("2026-06-11T15:00:00-04:00");
const FRIDAY = blockAt("2026-06-12T15:00:00-04:00");

const full = (limit: "day" | "week" | "goal", until: string | null, day: string | null): Phase => ({
  kind: "limit_reached",
  limit,
  until: until === null ? null : at(until),
  day,
});
const MONDAY = { until: "2026-06-14T00:00:00-04:00", day: "2026-06-15" };
const POLLING: Phase = { kind: "polling" };

/** Offers come a day ahead at most. From Wednesday noon on: the limits, held blocks and filters, and the phase. */
const PHASES: [
  name: string,
  limits: Partial<Limits>,
  held: readonly Block[],
  filters: Partial<Filters>,
  phase: Phase,
][] = [
  ["polls while tomorrow has room", { blocksPerDay: 1 }, [WEDNESDAY], {}, POLLING],
  ["polls while today has room", { blocksPerDay: 1 }, [THURSDAY], {}, POLLING],
  [
    "sleeps until Friday comes into reach",
    { blocksPerDay: 1 },
    [WEDNESDAY, THURSDAY],
    {},
    full("day", "2026-06-11T00:00:00-04:00", "2026-06-12"),
  ],
  [
    "sleeps until Saturday comes into reach",
    { minutesPerDay: 200 },
    [WEDNESDAY, THURSDAY, FRIDAY],
    {},
    full("day", "2026-06-12T00:00:00-04:00", "2026-06-13"),
  ],
  [
    "polls where a shorter block still fits",
    { minutesPerDay: 180 + 120 },
    [WEDNESDAY, THURSDAY],
    {},
    POLLING,
  ],
  [
    "sleeps where today's schedule is over and tomorrow is full",
    { blocksPerDay: 1 },
    [THURSDAY],
    { schedule: week(9 * 60, 11 * 60) },
    full("day", "2026-06-11T09:00:00-04:00", "2026-06-12"),
  ],
  [
    "sleeps until Monday comes into reach",
    { minutesPerWeek: 180 },
    [WEDNESDAY],
    {},
    full("week", MONDAY.until, MONDAY.day),
  ],
  [
    "sleeps for a goal until the same",
    { weekGoalCents: 9000 },
    [WEDNESDAY],
    {},
    full("goal", MONDAY.until, MONDAY.day),
  ],
  ["polls a cent below the goal", { weekGoalCents: 9001 }, [WEDNESDAY], {}, POLLING],
  [
    "names the goal before the week and the day",
    { weekGoalCents: 9000, minutesPerWeek: 180, blocksPerDay: 1 },
    [WEDNESDAY],
    {},
    full("goal", MONDAY.until, MONDAY.day),
  ],
  [
    "sleeps over a Monday that is off",
    { minutesPerWeek: 180 },
    [WEDNESDAY],
    { dates: [{ kind: "off", from: "2026-06-15", to: "2026-06-15" }] },
    full("week", "2026-06-15T00:00:00-04:00", "2026-06-16"),
  ],
  [
    "wakes for the warehouse whose Monday comes first",
    { minutesPerWeek: 180 },
    [WEDNESDAY],
    { warehouses: [makeWarehouseFilter({ warehouseId: LOS_ANGELES }), makeWarehouseFilter()] },
    full("week", MONDAY.until, MONDAY.day),
  ],
  [
    "wakes for the only warehouse that is selected",
    { minutesPerWeek: 180 },
    [WEDNESDAY],
    { warehouses: [makeWarehouseFilter({ warehouseId: LOS_ANGELES })] },
    full("week", "2026-06-14T00:00:00-07:00", MONDAY.day),
  ],
  [
    "sleeps by the schedule where no limit makes it later",
    { minutesPerWeek: 180 },
    [WEDNESDAY],
    { schedule: week(9 * 60, 11 * 60, [1]) },
    { kind: "asleep", until: at("2026-06-14T09:00:00-04:00") },
  ],
  [
    "sleeps by the schedule where it has no hours at all",
    { minutesPerWeek: 180 },
    [WEDNESDAY],
    { schedule: week(0, 0, []) },
    { kind: "asleep", until: null },
  ],
  [
    "never sleeps for rest or travel",
    { restMinutes: 1440, travelMinutes: 1440 },
    [WEDNESDAY, THURSDAY],
    {},
    POLLING,
  ],
  [
    "counts no forfeited block",
    { minutesPerWeek: 180 },
    [{ ...WEDNESDAY, status: "forfeited" }],
    {},
    POLLING,
  ],
];

it.each(PHASES)("%s", (_name, limits, held, filters, phase) => {
  expect(phaseOf(within(limits, held, { filters }), NOON, SETTINGS)).toEqual(phase);
});

it("sleeps until a day before the local Monday also where the clock changes between", () => {
  const now = at("2026-10-30T12:00:00-04:00");
  const state = within({ minutesPerWeek: 180 }, [blockAt("2026-10-30T15:00:00-04:00")]);
  expect(phaseOf(state, now, SETTINGS)).toMatchObject({ kind: "no_service" });
  const paid = { ...state, profile: state.profile && { ...state.profile, serviceUntil: now + 30 * DAY_MS } };
  expect(phaseOf(paid, now, SETTINGS)).toEqual(full("week", "2026-11-01T01:00:00-04:00", "2026-11-02"));
});

it("stays awake while an accept is pending that would reach the limit, and sleeps once it is won or in doubt", () => {
  const offer = makeOffer("a");
  const started = after(within({ minutesPerWeek: 180 }, []), polled(offer));
  expect([kinds(started.effects), started.state.phase]).toEqual([["log", "accept"], POLLING]);
  const lost = answer(started, { kind: "lost", reason: "offer_gone" });
  expect(lost.state.phase).toEqual(POLLING);
  const asleep = full("week", MONDAY.until, MONDAY.day);
  expect(answer(started, { kind: "won", block: makeBlock(offer) }).state.phase).toEqual(asleep);
  expect(answer(started, { kind: "timeout" }).state.phase).toEqual(asleep);
});

it("polls until the blocks of the whole week were read", () => {
  const transient = { heldReadFrom: NOON - 2 * DAY_MS };
  expect(phaseOf(within({ minutesPerWeek: 180 }, [WEDNESDAY], { transient }), NOON, SETTINGS)).toEqual(
    POLLING,
  );
});

describe("while a limit is reached", () => {
  const state = within({ minutesPerWeek: 180 }, [WEDNESDAY]);
  const later = NOON + 15 * MINUTE_MS;

  it("the blocks alone are read, every 15 minutes", () => {
    expect(nextWakeAt(state, ctx(NOON))).toBe(later);
    expect(kinds(wake(state, later - 1).effects)).not.toContain("read_blocks");
    const woken = wake(state, later);
    expect(kinds(woken.effects)).toEqual(["log", "read_blocks"]);
    const same = after(woken.state, listed(WEDNESDAY), later + 100);
    expect(nextWakeAt(same.state, ctx(later + 100))).toBe(later + 15 * MINUTE_MS);
  });

  it("a block that was given back wakes the polls in the same step", () => {
    const { state: freed, effects } = after(wake(state, later).state, listed(), later + 100);
    expect([freed.phase, kinds(effects)]).toEqual([POLLING, ["log", "poll"]]);
  });

  it("a driver who returns has the blocks read at once, once they are half a minute old", () => {
    const returned = (now: EpochMs) => kinds(after(state, { kind: "driver_returned" }, now).effects);
    expect(returned(NOON + 29_999)).not.toContain("read_blocks");
    expect(returned(NOON + 30_000)).toContain("read_blocks");
  });

  it("a limit that is raised wakes the polls", () => {
    const filters = makeFilters({ limits: { ...NO_LIMITS, minutesPerWeek: 360 } });
    const profile = makeProfile({ filters, revision: 2, filtersVersion: 2 });
    const raised = after(wake(state).state, { kind: "profile_changed", profile }, NOON + 100);
    expect(raised.state.phase).toEqual(POLLING);
    expect(nextWakeAt(raised.state, ctx(NOON + 100))).toBe(NOON + 100);
  });

  it("no poll is sent until Monday comes into reach, and one right then", () => {
    const platform = new SimulatedPlatform({});
    platform.blocks = [WEDNESDAY];
    const until = at(MONDAY.until);
    runSimulation(state, { platform, from: NOON, until: until + 1000 });
    expect(platform.polls).toEqual([until]);
    const reads = platform.calls.filter(({ call, at: askedAt }) => call === "read_blocks" && askedAt < until);
    expect(reads).toHaveLength((84 * HOUR_MS) / (15 * MINUTE_MS) - 1);
  });

  it("an offer that is listed when a block is given back is taken", () => {
    const offer = makeOffer("next", { startsAt: NOON + 8 * HOUR_MS });
    const platform = new SimulatedPlatform({ listedOffers: [{ offer, from: NOON, to: offer.expiresAt }] });
    platform.blocks = [WEDNESDAY];
    const given = NOON + 20 * MINUTE_MS;
    const { state: end } = runSimulation(state, {
      platform,
      from: NOON,
      until: NOON + HOUR_MS,
      onStep: (_before, next, event) => {
        if (event.kind === "blocks_read" && next.transient.heldFetchedAt === later) platform.blocks = [];
      },
    });
    expect(platform.polls[0]).toBeGreaterThan(given);
    expect(platform.accepts.map(({ attempt }) => attempt.offer.offerId)).toEqual(["next"]);
    expect(end.phase).toEqual(full("week", MONDAY.until, MONDAY.day));
  });
});
