import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import { step } from "../../../durable/engine/machine.ts";
import {
  NOON,
  SETTINGS,
  activeState,
  at,
  clock,
  codes,
  ctx,
  drop,
  makeBlock,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouseFilter,
  week,
} from "../fixtures.ts";
import { SimulatedPlatform, runSimulation } from "../simulate.ts";

describe("the weekday of a block", () => {
  it("is that of its start in the warehouse's time zone, not of UTC or the expiry", () => {
    const startsAt = at("2026-06-12T23:30:00-04:00");
    const offer = makeOffer("friday", { startsAt, expiresAt: at("2026-06-11T12:00:00-04:00") });
    expect(codes(offer, { filters: makeFilters({ schedule: week(0, 0, [5]) }) })).toEqual([]);
    expect(codes(offer, { filters: makeFilters({ schedule: week(0, 0, [4]) }) })).toEqual(["day_off"]);
  });

  it("is the evening's for a window from 20:00 to 02:00", () => {
    const filters = makeFilters({ schedule: week(clock("20:00"), clock("02:00"), [5]) });
    const start = (text: string) => codes(makeOffer("a", { startsAt: at(text) }), { filters });
    expect(start("2026-06-12T21:00:00-04:00")).toEqual([]);
    expect(start("2026-06-13T01:59:00-04:00")).toEqual([]);
    expect(start("2026-06-13T02:00:00-04:00")).toEqual(["day_off"]);
  });

  it("can be six and more days ahead", () => {
    for (const days of [1, 5, 6, 7, 8]) {
      expect(codes(makeOffer("a", { startsAt: NOON + days * DAY_MS }), {})).toEqual([]);
    }
  });
});

describe("the log", () => {
  it("keeps two blocks with the same start apart", () => {
    const blocks = ["a", "b"].map((name) => makeBlock(makeOffer(name)));
    const { state } = step(
      activeState(),
      { kind: "blocks_read", outcome: { kind: "blocks", blocks } },
      ctx(NOON),
    );
    expect(state.held).toEqual(blocks);
  });

  it("has one verdict for an offer that is listed for hours, and another if its pay changes", () => {
    const listed = makeOffer("a", { startsAt: NOON + 20 * HOUR_MS, payCents: 100 });
    const filters = makeFilters({ warehouses: [makeWarehouseFilter({ minPriceCents: 5000 })] });
    const listedOffers = [
      drop(listed, NOON, NOON + HOUR_MS),
      drop({ ...listed, payCents: 200 }, NOON + HOUR_MS),
    ];
    const { log, wakes } = runSimulation(activeState({ profile: makeProfile({ filters }) }), {
      platform: new SimulatedPlatform({ listedOffers }),
      from: NOON,
      until: NOON + 2 * HOUR_MS,
      settings: { ...SETTINGS, pollFloorMs: 10_000 },
    });
    expect(wakes).toBeGreaterThan(500);
    expect(log.map((event) => event.kind === "offer_judged" && event.offer.payCents)).toEqual([100, 200]);
  });

  it("has the last of several changes of a skipped offer's pay within a minute, once that is over", () => {
    const listed = makeOffer("a", { startsAt: NOON + 20 * HOUR_MS, payCents: 100 });
    const filters = makeFilters({ warehouses: [makeWarehouseFilter({ minPriceCents: 5000 })] });
    const { log } = runSimulation(activeState({ profile: makeProfile({ filters }) }), {
      platform: new SimulatedPlatform({
        listedOffers: [
          drop(listed, NOON, NOON + 15_000),
          drop({ ...listed, payCents: 200 }, NOON + 15_000, NOON + 25_000),
          drop({ ...listed, payCents: 300 }, NOON + 25_000),
        ],
      }),
      from: NOON,
      until: NOON + HOUR_MS / 4,
      settings: { ...SETTINGS, pollFloorMs: 5_000 },
    });
    expect(log.map((event) => event.kind === "offer_judged" && event.offer.payCents)).toEqual([100, 300]);
    const [first = 0, last = 0] = log.map(({ at }) => at);
    expect(last - first).toBeGreaterThanOrEqual(60_000);
    expect(last - first).toBeLessThan(75_000);
  });

  it("has one verdict for an offer that is still listed after it expired", () => {
    const stale = makeOffer("stale", { expiresAt: NOON - 1 });
    const { log } = runSimulation(activeState(), {
      platform: new SimulatedPlatform({ listedOffers: [drop(stale, NOON, NOON + DAY_MS)] }),
      from: NOON,
      until: NOON + HOUR_MS / 4,
    });
    expect(log).toHaveLength(1);
  });
});
