import { describe, expect, it } from "vitest";
import {
  addUpWeek,
  blocksKnownFrom,
  mondayAt,
  mondaysInLog,
  weekOf,
  weeksAfter,
} from "../../../durable/engine/statistics/week.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { at, idOf, makeBlock, makeOffer, NOON } from "../fixtures.ts";

const NEW_YORK = "America/New_York";

describe("a driver's week", () => {
  it.each([
    ["a Wednesday", NOON, NEW_YORK, "2026-06-08"],
    ["a Sunday's last moment", at("2026-06-14T23:59:59-04:00"), NEW_YORK, "2026-06-08"],
    ["a Monday's first moment", at("2026-06-15T00:00:00-04:00"), NEW_YORK, "2026-06-15"],
    ["that moment further west", at("2026-06-15T00:00:00-04:00"), "America/Los_Angeles", "2026-06-08"],
  ])("of %s begins on its Monday", (_case, now, timeZone, monday) => {
    expect(mondayAt(now, timeZone)).toBe(monday);
  });

  it.each([
    ["in summer", "2026-06-10", "2026-06-08", "2026-06-08T00:00:00-04:00", "2026-06-15T00:00:00-04:00"],
    [
      "of 167 hours in spring",
      "2026-03-08",
      "2026-03-02",
      "2026-03-02T00:00:00-05:00",
      "2026-03-09T00:00:00-04:00",
    ],
    [
      "of 169 hours in autumn",
      "2026-11-01",
      "2026-10-26",
      "2026-10-26T00:00:00-04:00",
      "2026-11-02T00:00:00-05:00",
    ],
  ])("%s lasts from Monday to Monday", (_case, date, monday, from, to) => {
    expect(weekOf(date, NEW_YORK)).toEqual({ monday, from: at(from), to: at(to) });
    expect(weeksAfter(monday, 1)).toBe(mondayAt(at(to), NEW_YORK));
  });

  it("goes as far back as the log has it whole", () => {
    expect(mondaysInLog(NOON, NEW_YORK)).toEqual(["2026-06-08", "2026-06-01", "2026-05-25", "2026-05-18"]);
  });
});

describe("the figures of a week", () => {
  const week = weekOf("2026-06-10", NEW_YORK);
  const block = (name: string, startsAt: number, fields: Partial<Block> = {}) =>
    makeBlock(makeOffer(name, { startsAt, endsAt: startsAt + 3 * HOUR_MS, payCents: 9_000 }), fields);
  const sum = (captured: Block[], held: Block[], now = week.to) =>
    addUpWeek({ captured, held }, { week, now, currency: "USD" });

  it("count captures by their moment, and work by its start, once it is over", () => {
    const late = block("late", week.to - HOUR_MS, { acceptedAt: week.from });
    const next = block("next", week.to, { acceptedAt: week.to - 1 });
    const past = block("past", week.from - 1, { acceptedAt: week.from - 1 });
    const given = block("given", NOON, { status: "forfeited", acceptedAt: week.from - 1 });
    const abroad = block("abroad", NOON, { currency: "BRL", acceptedAt: NOON });
    const all = [late, next, past, given, abroad];
    expect(sum(all, all)).toEqual({
      captured: { blocks: 2, payCents: 18_000 },
      worked: { blocks: 0, minutes: 0, payCents: 0 },
    });
    expect(sum(all, all, week.to + 2 * HOUR_MS).worked).toEqual({ blocks: 1, minutes: 180, payCents: 9_000 });
  });

  it("count a capture that was given back, without its pay, as the list of captures does", () => {
    const captured = [
      block("kept", NOON, { acceptedAt: NOON - HOUR_MS }),
      block("given", NOON + 4 * HOUR_MS, { acceptedAt: NOON - HOUR_MS, status: "forfeited" }),
    ];
    expect(sum(captured, []).captured).toEqual({ blocks: 2, payCents: 9_000 });
  });

  it("count a block once that was listed by its own name and by its offer's", () => {
    const named = block("named", NOON, { acceptedAt: week.from - 1 });
    const byOffer = { ...named, blockId: idOf.block(named.offerId) };
    const elsewhere = { ...block("elsewhere", NOON), warehouseId: idOf.warehouse("OTHER") };
    expect(sum([], [named, byOffer], week.to).worked).toEqual({ blocks: 1, minutes: 180, payCents: 9_000 });
    expect(sum([], [named, elsewhere], week.to).worked.blocks).toBe(2);
  });

  it("agree with a second computation, minute by minute", () => {
    const held = Array.from({ length: 60 }, (_, index) =>
      block(`b${index}`, week.from - 20 * HOUR_MS + index * 4 * HOUR_MS, {
        acceptedAt: week.from - 30 * HOUR_MS + index * 4 * HOUR_MS,
        payCents: 5_000 + 137 * index,
      }),
    );
    const expected = { captured: { blocks: 0, payCents: 0 }, worked: { blocks: 0, minutes: 0, payCents: 0 } };
    for (let minute = week.from; minute < week.to; minute += 60_000)
      for (const { acceptedAt, startsAt, endsAt, payCents } of held) {
        if (acceptedAt === minute) {
          expected.captured.blocks += 1;
          expected.captured.payCents += payCents;
        }
        if (startsAt !== minute || endsAt > NOON) continue;
        expected.worked.blocks += 1;
        expected.worked.payCents += payCents;
        for (let at = startsAt; at < endsAt; at += 60_000) expected.worked.minutes += 1;
      }
    expect(expected.worked.blocks).toBeGreaterThan(10);
    expect(sum(held, held, NOON)).toEqual(expected);
  });
});

it("a driver's blocks are known from the first listing on, or from a block of before", () => {
  const ahead = makeBlock(makeOffer("ahead"), { acceptedAt: NOON });
  const past = makeBlock(makeOffer("past", { startsAt: NOON - 9 * HOUR_MS }));
  const won = makeBlock(makeOffer("won"), { acceptedAt: NOON - 5 * HOUR_MS });
  expect(blocksKnownFrom({ captured: [], held: [] }, NOON)).toBe(NOON);
  expect(blocksKnownFrom({ captured: [ahead], held: [ahead] }, NOON)).toBe(NOON);
  expect(blocksKnownFrom({ captured: [won], held: [] }, NOON)).toBe(won.acceptedAt);
  expect(blocksKnownFrom({ captured: [won], held: [past] }, NOON)).toBe(past.startsAt);
});
