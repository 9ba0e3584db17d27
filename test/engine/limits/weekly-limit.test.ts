import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import {
  accepted,
  activeState,
  at,
  idOf,
  logged,
  makeBlock,
  makeOffer,
  makeWarehouse,
  NOON,
} from "../fixtures.ts";
import {
  fullWeekFor,
  fullWeeks,
  learnWeeklyLimit,
  reconsiderWeeklyLimits,
} from "../../../durable/engine/verdicts/weekly-limit.ts";
import { change } from "../parts.ts";
import { after, answer, polled } from "../steps.ts";

const MONDAY = at("2026-06-15T00:00:00-04:00");
const refused = (offer = makeOffer("a"), fields = {}) =>
  change(activeState(fields), (transition) => learnWeeklyLimit(transition, offer));
const untils = (state: ReturnType<typeof refused>["state"], now: number) =>
  fullWeeks(state, now).map(({ until }) => until);

describe("a full week", () => {
  it("lasts until Monday at the warehouse, and the driver hears of it", () => {
    const { state, notifications } = refused();
    expect([NOON, MONDAY - 1, MONDAY].map((now) => untils(state, now))).toEqual([[MONDAY], [MONDAY], []]);
    expect(notifications).toEqual([{ kind: "weekly_limit", until: MONDAY }]);
  });

  it("is told once, and only if it is the present one", () => {
    const first = refused().state;
    const again = change(first, (transition) => learnWeeklyLimit(transition, makeOffer("b")), NOON + HOUR_MS);
    expect(again.notifications).toEqual([]);
    expect(again.state.weeklyLimit).toMatchObject([{ endsAt: MONDAY, refusedAt: NOON + HOUR_MS }]);
    const later = makeOffer("c", { startsAt: NOON + 7 * DAY_MS });
    const next = change(first, (transition) => learnWeeklyLimit(transition, later));
    expect(next.notifications).toEqual([]);
    expect(untils(next.state, NOON)).toEqual([MONDAY, MONDAY + 7 * DAY_MS]);
  });

  it("is that of the offer's warehouse, by UTC where the zone is not known", () => {
    const other = idOf.warehouse("LA");
    const warehouses = [
      makeWarehouse(),
      makeWarehouse({ warehouseId: other, timeZone: "America/Los_Angeles" }),
    ];
    const endsAt = (offer = makeOffer("a"), known = warehouses) =>
      refused(offer, { warehouses: known }).state.weeklyLimit[0]?.endsAt;
    expect(endsAt(makeOffer("a", { warehouseId: other }))).toBe(MONDAY + 3 * HOUR_MS);
    expect(endsAt(makeOffer("a", { warehouseId: idOf.warehouse("none") }))).toBe(at("2026-06-15T00:00:00Z"));
    expect(endsAt(makeOffer("a"), [makeWarehouse({ timeZone: "Mars/Olympus" })])).toBe(
      at("2026-06-15T00:00:00Z"),
    );
  });

  it.each([
    ["the last moment of Sunday", MONDAY - 1, MONDAY],
    ["the first of Monday", MONDAY, MONDAY + 7 * DAY_MS],
  ])("that an offer starts in at %s is the one from Monday to Monday", (_what, startsAt, endsAt) => {
    expect(refused(makeOffer("a", { startsAt })).state.weeklyLimit).toMatchObject([
      { startsAt: endsAt - 7 * DAY_MS, endsAt, minutes: 180 },
    ]);
  });

  it("may have room again once a block of it ends that is held, after the refusal", () => {
    const soon = makeBlock(makeOffer("h", { startsAt: NOON - HOUR_MS, endsAt: NOON + HOUR_MS }));
    const later = makeBlock(makeOffer("l", { startsAt: NOON + 3 * HOUR_MS }));
    const ended = makeBlock(makeOffer("e", { startsAt: NOON - 3 * HOUR_MS, endsAt: NOON }));
    const back = { ...soon, blockId: idOf.block("back"), status: "forfeited" as const, endsAt: NOON + 1 };
    const { state } = refused(makeOffer("a"), { held: [later, soon, ended, back] });
    expect([NOON, NOON + HOUR_MS - 1, NOON + HOUR_MS].map((now) => untils(state, now))).toEqual([
      [NOON + HOUR_MS],
      [NOON + HOUR_MS],
      [],
    ]);
    const ofNext = refused(makeOffer("a", { startsAt: MONDAY + HOUR_MS }), { held: [soon] });
    expect(untils(ofNext.state, NOON)).toEqual([MONDAY + 7 * DAY_MS]);
  });

  it("may have room again once a block is given back", () => {
    const { state } = change(refused().state, reconsiderWeeklyLimits);
    expect(untils(state, NOON)).toEqual([]);
    const never = activeState();
    expect(change(never, reconsiderWeeklyLimits).state).toBe(never);
  });

  it("is full for blocks as long as the one that was refused, or longer", () => {
    const full = fullWeeks(refused().state, NOON);
    const lasting = (minutes: number, startsAt = NOON + HOUR_MS) =>
      fullWeekFor(full, { startsAt, endsAt: startsAt + minutes * MINUTE_MS }) !== undefined;
    expect([lasting(179), lasting(180), lasting(240), lasting(240, MONDAY)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
    const shorter = makeOffer("s", { endsAt: makeOffer("s").startsAt + HOUR_MS });
    const { state } = change(refused().state, (one) => learnWeeklyLimit(one, shorter));
    expect(fullWeeks(state, NOON)).toMatchObject([{ minutes: 60 }]);
  });

  it("of next Tuesday leaves this week's offers to be taken", () => {
    const nextWeek = makeOffer("next", { startsAt: MONDAY + DAY_MS });
    const first = after(activeState(), polled(nextWeek));
    const full = answer(first, { kind: "lost", reason: "weekly_limit" });
    const thisWeek = [makeOffer("today"), makeOffer("tomorrow", { startsAt: NOON + 27 * HOUR_MS })];
    const { effects } = after(full.state, polled(nextWeek, ...thisWeek), NOON + 3_000);
    expect(accepted(effects).toSorted()).toEqual(["today", "tomorrow"]);
    expect(full.state.phase).toEqual({ kind: "polling" });
  });

  it("passes offers over for a reason of its own, with the figures", () => {
    const first = after(activeState(), polled(makeOffer("a")));
    const full = answer(first, { kind: "lost", reason: "weekly_limit" });
    const shorter = makeOffer("short", {
      startsAt: NOON + 7 * HOUR_MS,
      endsAt: NOON + 8 * HOUR_MS,
    });
    const { effects } = after(full.state, polled(makeOffer("b"), shorter), NOON + 3_000);
    expect(accepted(effects)).toEqual(["short"]);
    expect(logged(effects)[0]).toMatchObject({
      kind: "offer_judged",
      reasons: [{ code: "weekly_limit", rule: { minutes: 180, until: MONDAY }, offer: 180 }],
    });
  });
});
