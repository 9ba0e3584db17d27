import { describe, expect, it } from "vitest";
import type { Filters, WarehouseFilter } from "../../../db/shapes/work/filters.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import { MAX_REPLAY_CHANGES } from "../../../db/shapes/work/replay.ts";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { compareReplays } from "../../../durable/engine/replay/replay-report.ts";
import type { ReplaySettings } from "../../../durable/engine/replay/replay.ts";
import {
  BETHPAGE,
  makeExtraRule,
  makeFilters,
  makeOffer,
  makeWarehouseFilter,
  NOON,
  makeReplaySettings,
} from "../fixtures.ts";

const settingsOf = (filters: Partial<Filters> = {}) =>
  makeReplaySettings({ mode: "masacre", filters: makeFilters(filters) });
const everything = settingsOf();
const byRules = (first: Partial<WarehouseFilter>) => settingsOf({ warehouses: [makeWarehouseFilter(first)] });
const atLeast = (minPriceCents: number) => byRules({ minPriceCents });

/** Listed a minute after the one before, four hours apart. */
const offers = (...pay: number[]): Offer[] =>
  pay.map((payCents, index) =>
    makeOffer(`of-${index}`, { startsAt: NOON + (3 + index * 4) * HOUR_MS, payCents }),
  );

function compare(
  listed: readonly Offer[],
  { saved = everything, edited = everything }: { saved?: ReplaySettings; edited?: ReplaySettings },
  { captured = [], odds = [] }: { captured?: Offer[]; odds?: { tried: number; won: number }[] } = {},
) {
  return compareReplays({
    log: {
      changes: listed.map((offer, index) => ({
        at: NOON + index * MINUTE_MS,
        isAfterPause: false,
        seen: [offer],
        left: [],
        held: [],
        freed: [],
      })),
      heldBefore: [],
      captured: new Set(captured.map(({ offerId }) => offerId)),
      missed: new Set(),
      refusals: [],
    },
    saved,
    edited,
    odds: odds.map((each) => ({ ...each, warehouseId: BETHPAGE })),
  });
}

describe("a comparison with other filters", () => {
  it("names each offer that they take or leave, the latest first, with the reasons of the others", () => {
    const listed = offers(5_000, 9_000, 6_000);
    const [low, , middle] = listed;
    const strict = atLeast(8_000);
    const below = (offer: Offer | undefined, minute: number) => ({
      at: NOON + minute * MINUTE_MS,
      offer,
      reasons: [{ code: "price_below_minimum", rule: 8_000, offer: offer?.payCents }],
    });
    const changes = [below(middle, 2), below(low, 0)];
    expect(compare(listed, { saved: strict })).toMatchObject({ gained: changes, dropped: [] });
    expect(compare(listed, { edited: strict })).toMatchObject({ gained: [], dropped: changes });
    expect(compare(listed, { saved: strict, edited: strict })).toMatchObject({ gained: [], dropped: [] });
  });

  it("names the rule that came nearest, where a warehouse has several, and none where it has one", () => {
    const listed = offers(5_000);
    const rulesOf = (saved: ReplaySettings) => compare(listed, { saved }).gained;
    const first = { minPriceCents: 9_000, minHourlyCents: 9_000 };
    const extra = makeExtraRule({ minPriceCents: 6_000 });
    expect(rulesOf(byRules({ ...first, extraRules: [extra] }))).toMatchObject([
      { rule: { ruleId: extra.ruleId, name: extra.name, number: 2 } },
    ]);
    expect(rulesOf(byRules(first)).map((change) => "rule" in change)).toEqual([false]);
  });

  it("lists as many as are shown", () => {
    const listed = offers(...Array.from({ length: MAX_REPLAY_CHANGES + 1 }, () => 5_000));
    const { gained } = compare(listed, { saved: atLeast(8_000) });
    expect(gained.map(({ offer }) => offer)).toEqual(listed.slice(1).toReversed());
  });

  it("adds up what is taken, and what of it is likely: all of what was captured, else a warehouse's share", () => {
    const listed = offers(5_000, 9_000, 6_000);
    const { saved, edited } = compare(
      listed,
      { edited: atLeast(8_000) },
      { captured: listed.slice(0, 1), odds: [{ tried: 2, won: 0 }] },
    );
    expect(saved).toEqual({ blocks: 3, payCents: 20_000, minutes: 540, likelyCents: 5_000 + 15_000 / 4 });
    expect(edited).toEqual({ blocks: 1, payCents: 9_000, minutes: 180, likelyCents: 2_250 });
  });
});

describe("the warning about filters", () => {
  const ten = offers(...Array.from({ length: 10 }, () => 5_000));

  const low = ["low-1", "low-2"].map((name) => makeOffer(name, { payCents: 1_000 }));

  it.each([
    ["takes nothing", ten, 9_000, "nothing"],
    ["takes all", ten, 1, "nearly_everything"],
    ["takes nine of ten", [...ten.slice(1), ...low.slice(1)], 5_000, "nearly_everything"],
    ["takes eight of ten", [...ten.slice(2), ...low], 5_000, null],
    ["takes nothing of nine", ten.slice(1), 9_000, null],
    ["takes all of nine", ten.slice(1), 1, null],
  ])("%s", (_name, listed, minimum, warning) => {
    const report = compare(listed, { edited: atLeast(minimum) });
    expect([report.offers, report.warning]).toEqual([listed.length, warning]);
  });

  it("counts an offer that only another block stood against as one that fits", () => {
    const alike = Array.from({ length: 10 }, (_, index) => makeOffer(`same-${index}`));
    const report = compare(alike, {});
    expect([report.edited.blocks, report.warning]).toEqual([1, "nearly_everything"]);
  });
});
