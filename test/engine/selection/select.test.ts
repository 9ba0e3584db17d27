import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { overlaps } from "../../../durable/engine/verdicts/match.ts";
import { selectOffers } from "../../../durable/engine/selection/select.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { makeOffer, NOON } from "../fixtures.ts";

const offer = (name: string, [from, to]: [number, number], payCents: number) =>
  makeOffer(name, { startsAt: NOON + from * HOUR_MS, endsAt: NOON + to * HOUR_MS, payCents });

const ids = (offers: readonly Offer[]) => offers.map(({ offerId }) => offerId);

describe("lucrative", () => {
  const pick = (...matches: Offer[]) => ids(selectOffers("lucrative", { matches, busy: [] }));

  it("prefers two short blocks to a long one that pays less than both together", () => {
    expect(
      pick(offer("long", [2, 8], 15_000), offer("one", [2, 5], 8000), offer("two", [5, 8], 8000)),
    ).toEqual(["one", "two"]);
  });

  it("tries the best rate first", () => {
    expect(pick(offer("long", [2, 8], 15_000), offer("short", [8, 10], 6000))).toEqual(["short", "long"]);
  });

  it("prefers fewer blocks with the same pay, then the earlier", () => {
    expect(pick(offer("a", [2, 4], 5000), offer("b", [4, 6], 5000), offer("both", [2, 6], 10_000))).toEqual([
      "both",
    ]);
    expect(pick(offer("later", [3, 6], 9000), offer("earlier", [2, 5], 9000))).toEqual(["earlier"]);
    expect(pick(offer("b", [2, 5], 9000), offer("a", [2, 5], 9000))).toEqual(["a"]);
  });

  it("prefers the same even if the better set ends later", () => {
    expect(pick(offer("a", [2, 4], 5000), offer("b", [4, 5], 5000), offer("both", [2, 6], 10_000))).toEqual([
      "both",
    ]);
    expect(pick(offer("inner", [3, 5], 9000), offer("outer", [2, 6], 9000))).toEqual(["outer"]);
  });
});

it("selects by earliest start in secure mode", () => {
  const matches = [offer("rich", [3, 9], 30_000), offer("late", [6, 8], 9000), offer("early", [2, 5], 4000)];
  expect(ids(selectOffers("secure", { matches, busy: [] }))).toEqual(["early", "late"]);
});

it("selects by highest pay in turbo mode", () => {
  const matches = [
    offer("a", [2, 5], 8000),
    offer("b", [4, 7], 9000),
    offer("c", [7, 9], 3000),
    offer("d", [6, 8], 8500),
  ];
  expect(ids(selectOffers("masacre", { matches, busy: [] }))).toEqual(["b", "c"]);
});

it.each([
  [
    "that start together, the better paid",
    "secure",
    offer("poor", [2, 4], 4000),
    offer("rich", [2, 5], 5000),
  ],
  ["that pay the same, the earlier", "masacre", offer("late", [3, 5], 5000), offer("early", [2, 4], 5000)],
  ["that are alike, the first by id", "secure", offer("b", [2, 4], 5000), offer("a", [2, 4], 5000)],
  ["that are alike, the first by id", "masacre", offer("b", [2, 4], 5000), offer("a", [2, 4], 5000)],
] as const)("of two %s in %s mode", (_name, mode, one, other) => {
  for (const matches of [
    [one, other],
    [other, one],
  ]) {
    expect(selectOffers(mode, { matches, busy: [] })).toEqual([other]);
  }
});

const offers = fc
  .array(fc.record({ from: fc.nat(20), hours: fc.integer({ min: 1, max: 6 }), pay: fc.nat(12) }), {
    maxLength: 9,
  })
  .map((list) =>
    list.map(({ from, hours, pay }, index) => offer(`o${index}`, [from, from + hours], pay * 1000)),
  );

describe("for any matches", () => {
  it("selects none that overlap each other or a busy span, in every mode and independent of their order", () => {
    fc.assert(
      fc.property(
        offers,
        offers,
        fc.constantFrom("lucrative", "secure", "masacre"),
        (matches, busy, mode) => {
          const chosen = selectOffers(mode, { matches, busy });
          for (const [index, one] of chosen.entries()) {
            expect([...busy, ...chosen.slice(index + 1)].filter((other) => overlaps(one, other))).toEqual([]);
          }
          expect(ids(selectOffers(mode, { matches: matches.toReversed(), busy }))).toEqual(ids(chosen));
        },
      ),
    );
  });

  it("leaves out none that would fit, in secure and turbo mode", () => {
    fc.assert(
      fc.property(offers, fc.constantFrom("secure", "masacre"), (matches, mode) => {
        const chosen = selectOffers(mode, { matches, busy: [] });
        const left = matches.filter((one) => !chosen.some((other) => overlaps(one, other)));
        expect(left).toEqual([]);
      }),
    );
  });

  it("finds the same best total and count as brute force, in lucrative mode", () => {
    fc.assert(
      fc.property(offers, (matches) => {
        const chosen = selectOffers("lucrative", { matches, busy: [] });
        expect({ pay: sum(chosen), count: chosen.length }).toEqual(bestByTrying(matches));
      }),
    );
  });
});

function sum(list: readonly Offer[]): number {
  return list.reduce((total, { payCents }) => total + payCents, 0);
}

function bestByTrying(matches: readonly Offer[]): { pay: number; count: number } {
  let best = { pay: 0, count: 0 };
  for (let bits = 0; bits < 2 ** matches.length; bits += 1) {
    const set = matches.filter((_offer, index) => (bits >> index) % 2 === 1);
    if (set.some((one, index) => set.slice(index + 1).some((other) => overlaps(one, other)))) continue;
    const pay = sum(set);
    if (pay > best.pay || (pay === best.pay && set.length < best.count)) best = { pay, count: set.length };
  }
  return best;
}
