import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { UsedLimit } from "../../../db/shapes/work/used-limit.ts";
import { limitBookOf, usedLimitsOf } from "../../../durable/engine/verdicts/counted-blocks.ts";
import { limitReasons } from "../../../durable/engine/verdicts/limit-book.ts";
import type { DriverState } from "../../../durable/engine/state/types.ts";
import { at, makeBlock, makeFilters, makeProfile, makeWarehouseFilter, NOON } from "../fixtures.ts";
import { byId, makeAttempt } from "../parts.ts";
import {
  DENVER,
  EARLY,
  LATE,
  LOS_ANGELES,
  offerAt,
  profileWithin,
  THURSDAY,
  within,
} from "./limited-driver.ts";

const usedOf = (state: DriverState, now = NOON) => usedLimitsOf(state, { now, currency: "USD" });

const ALL = { blocksPerDay: 4, minutesPerDay: 480, minutesPerWeek: 2400, weekGoalCents: 60_000 };
const MONDAY = offerAt("monday", "2026-06-08T11:00:00-04:00");
const WEEK = { from: "2026-06-08", until: "2026-06-14" };
const day = (date: string) => ({ from: date, until: date });
const WEDNESDAY = day("2026-06-10");

describe("the use of the limits", () => {
  it("counts the blocks of today, of tomorrow and of their week", () => {
    const held = [MONDAY, EARLY, THURSDAY].map((offer) => makeBlock(offer));
    expect(usedOf(within(ALL, { held }))).toEqual<UsedLimit[]>([
      { limit: "blocksPerDay", used: 1, most: 4, ...WEDNESDAY },
      { limit: "blocksPerDay", used: 1, most: 4, ...day("2026-06-11") },
      { limit: "minutesPerDay", used: 180, most: 480, ...WEDNESDAY },
      { limit: "minutesPerDay", used: 180, most: 480, ...day("2026-06-11") },
      { limit: "minutesPerWeek", used: 540, most: 2400, ...WEEK },
      { limit: "weekGoalCents", used: 27_000, most: 60_000, ...WEEK },
    ]);
  });

  it("has the next week's from Sunday on", () => {
    const sunday = at("2026-06-14T12:00:00-04:00");
    expect(usedOf(within({ minutesPerWeek: 2400 }, {}, {}), sunday)).toEqual<UsedLimit[]>([
      { limit: "minutesPerWeek", used: 0, most: 2400, ...WEEK },
      { limit: "minutesPerWeek", used: 0, most: 2400, from: "2026-06-15", until: "2026-06-21" },
    ]);
  });

  it("counts attempts that are under way, unknown or in doubt as what they may have taken", () => {
    const pending = makeAttempt("1", EARLY);
    const unknown = makeAttempt("2", LATE, { outcome: { status: "unknown", triedAt: NOON, tries: 1 } });
    const state = within({ blocksPerDay: 4 });
    const today = (fields: Partial<DriverState>) => usedOf({ ...state, ...fields })?.[0]?.used;
    expect([
      today({}),
      today({ openAttempts: byId(pending) }),
      today({ openAttempts: byId(pending, unknown) }),
      today({ openAttempts: byId(pending), doubtedAttempts: byId(unknown) }),
      today({ openAttempts: byId(pending), held: [makeBlock(EARLY)] }),
    ]).toEqual([0, 1, 2, 2, 1]);
  });

  it("is what the reasons against the next offer of the day say", () => {
    const held = [EARLY, LATE].map((offer) => makeBlock(offer));
    const limits = { blocksPerDay: 2, minutesPerWeek: 400, weekGoalCents: 100 };
    const state = within(limits, { held });
    const used = new Map(
      usedOf(state)
        ?.toReversed()
        .map((each) => [each.limit, each.used]),
    );
    const book = limitBookOf(state, "pending", "USD");
    const next = offerAt("next", "2026-06-10T09:00:00-04:00");
    const minutes = (next.endsAt - next.startsAt) / MINUTE_MS;
    expect(book && limitReasons(book, next)).toEqual([
      { code: "day_limit", unit: "blocks", rule: 2, offer: (used.get("blocksPerDay") ?? 0) + 1 },
      { code: "week_limit", rule: 400, offer: (used.get("minutesPerWeek") ?? 0) + minutes },
      { code: "goal_reached", rule: 100, offer: used.get("weekGoalCents") },
    ]);
  });

  it("has both todays where the warehouses' clocks are on two dates", () => {
    const midnight = at("2026-06-11T01:00:00-04:00");
    const late = makeBlock(offerAt("coast", "2026-06-10T23:30:00-07:00", { warehouseId: LOS_ANGELES }));
    expect(usedOf(within({ blocksPerDay: 4 }, { held: [late] }), midnight)).toEqual<UsedLimit[]>([
      { limit: "blocksPerDay", used: 1, most: 4, ...WEDNESDAY },
      { limit: "blocksPerDay", used: 0, most: 4, ...day("2026-06-11") },
      { limit: "blocksPerDay", used: 0, most: 4, ...day("2026-06-12") },
    ]);
  });

  it("is of the selected warehouses' dates alone, whatever else the platform lists", () => {
    const warehouses = [
      makeWarehouseFilter({ selected: false }),
      makeWarehouseFilter({ warehouseId: DENVER }),
    ];
    const limits = profileWithin({ blocksPerDay: 4 }).filters.limits;
    const profile = makeProfile({ filters: makeFilters({ limits, warehouses }) });
    const dates = usedOf(within({}, { profile }), at("2026-06-11T00:30:00-04:00"))?.map(({ from }) => from);
    expect(dates).toEqual(["2026-06-10", "2026-06-11"]);
  });

  it("is absent without limits, while off, and where blocks that count are still to be read", () => {
    const off = profileWithin(ALL, { switchedOn: false });
    const narrow = { heldReadFrom: NOON - 24 * HOUR_MS };
    expect([
      usedOf(within({ restMinutes: 30, travelMinutes: 30 })),
      usedOf(within({})),
      usedOf(within(ALL, { profile: off })),
      usedOf(within(ALL, {}, narrow)),
    ]).toEqual([undefined, undefined, undefined, undefined]);
    // An object that has just woken stands by its last reading.
    expect(usedOf(within(ALL, {}, { heldReadFrom: null }))).toHaveLength(6);
  });
});
