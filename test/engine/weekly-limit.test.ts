import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../db/shapes/units.ts";
import {
  learnWeeklyLimit,
  reconsiderWeeklyLimit,
  weeklyLimitUntil,
  withoutFullWeek,
} from "../../durable/engine/weekly-limit.ts";
import { activeState, at, idOf, makeBlock, makeOffer, makeWarehouse, NOON } from "./fixtures.ts";
import { change } from "./parts.ts";

const MONDAY = at("2026-06-15T00:00:00-04:00");
const refused = (offer = makeOffer("a"), fields = {}) =>
  change(activeState(fields), (transition) => learnWeeklyLimit(transition, offer));

describe("a full week", () => {
  it("lasts until Monday at the warehouse, and the driver hears of it", () => {
    const { state, notifications } = refused();
    expect(weeklyLimitUntil(state, NOON)).toBe(MONDAY);
    expect(weeklyLimitUntil(state, MONDAY - 1)).toBe(MONDAY);
    expect(weeklyLimitUntil(state, MONDAY)).toBeNull();
    expect(notifications).toEqual([{ kind: "weekly_limit", until: MONDAY }]);
  });

  it("is told once, and the next one again", () => {
    const first = refused().state;
    const again = change(first, (transition) => learnWeeklyLimit(transition, makeOffer("b")), NOON + HOUR_MS);
    expect([again.notifications, again.state.weeklyLimit?.refusedAt]).toEqual([[], NOON + HOUR_MS]);
    const later = makeOffer("c", { startsAt: NOON + 7 * DAY_MS });
    const next = change(first, (transition) => learnWeeklyLimit(transition, later));
    expect(next.notifications).toEqual([{ kind: "weekly_limit", until: MONDAY + 7 * DAY_MS }]);
    const back = change(next.state, (transition) => learnWeeklyLimit(transition, makeOffer("d")));
    expect([back.notifications, back.state.weeklyLimit?.endsAt]).toEqual([[], MONDAY + 7 * DAY_MS]);
  });

  it("is that of the offer's warehouse, by UTC where the zone is not known", () => {
    const other = idOf.warehouse("LA");
    const warehouses = [
      makeWarehouse(),
      makeWarehouse({ warehouseId: other, timeZone: "America/Los_Angeles" }),
    ];
    const endsAt = (offer = makeOffer("a"), known = warehouses) =>
      refused(offer, { warehouses: known }).state.weeklyLimit?.endsAt;
    expect(endsAt(makeOffer("a", { warehouseId: other }))).toBe(MONDAY + 3 * HOUR_MS);
    expect(endsAt(makeOffer("a", { warehouseId: idOf.warehouse("none") }))).toBe(at("2026-06-15T00:00:00Z"));
    expect(endsAt(makeOffer("a"), [makeWarehouse({ timeZone: "Mars/Olympus" })])).toBe(
      at("2026-06-15T00:00:00Z"),
    );
  });

  it.each([
    ["the last moment of Sunday", MONDAY - 1, MONDAY],
    ["the first of Monday", MONDAY, MONDAY + 7 * DAY_MS],
  ])("that an offer starts in at %s ends at the Monday after", (_what, startsAt, endsAt) => {
    expect(refused(makeOffer("a", { startsAt })).state.weeklyLimit?.endsAt).toBe(endsAt);
  });

  it("may have room again once a block ends that is held, after the refusal", () => {
    const soon = makeBlock(makeOffer("h", { startsAt: NOON - HOUR_MS, endsAt: NOON + HOUR_MS }));
    const later = makeBlock(makeOffer("l", { startsAt: NOON + 3 * HOUR_MS }));
    const ended = makeBlock(makeOffer("e", { startsAt: NOON - 3 * HOUR_MS, endsAt: NOON }));
    const back = { ...soon, blockId: idOf.block("back"), status: "forfeited" as const, endsAt: NOON + 1 };
    const { state } = refused(makeOffer("a"), { held: [later, soon, ended, back] });
    expect(weeklyLimitUntil(state, NOON)).toBe(NOON + HOUR_MS);
    expect(weeklyLimitUntil(state, NOON + HOUR_MS - 1)).toBe(NOON + HOUR_MS);
    expect(weeklyLimitUntil(state, NOON + HOUR_MS)).toBeNull();
  });

  it("may have room again once a block is given back", () => {
    const { state } = change(refused().state, reconsiderWeeklyLimit);
    expect(weeklyLimitUntil(state, NOON)).toBeNull();
    expect(state.weeklyLimit).toEqual({ endsAt: MONDAY, refusedAt: null });
    const never = activeState();
    expect(change(never, reconsiderWeeklyLimit).state).toBe(never);
  });

  it("keeps back the offers that start in it, and no others", () => {
    const offers = [makeOffer("in"), makeOffer("after", { startsAt: MONDAY })];
    expect(withoutFullWeek(activeState(), offers, NOON)).toEqual(offers);
    expect(withoutFullWeek(refused().state, offers, NOON)).toEqual(offers.slice(1));
    expect(withoutFullWeek(refused().state, offers, MONDAY)).toEqual(offers);
  });
});
