import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import { DURATION_MINUTES, minutesToDurations } from "../../../db/shapes/work/durations.ts";
import type { DateException, ExtraRule, Filters, WarehouseFilter } from "../../../db/shapes/work/filters.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import { RULE_ACTIONS, strongestAction } from "../../../db/shapes/work/rule-action.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import {
  compileFilters,
  type CompiledFilters,
  type CompiledRule,
} from "../../../durable/engine/verdicts/compiled-filters.ts";
import { judgeOffer } from "../../../durable/engine/verdicts/match.ts";
import { dayOf, tryZone } from "../../../durable/engine/schedule/zone.ts";
import { toDraft } from "../../../web/features/filters/draft.ts";
import { findRuleNotices } from "../../../web/features/filters/rules/rule-notices.ts";
import {
  at,
  BETHPAGE,
  makeExtraRule,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouse,
  makeWarehouseFilter,
  matchContext,
} from "../../engine/fixtures.ts";
import { countOf, draws } from "../../support/draws.ts";

vi.setConfig({ testTimeout: 120_000 });

const SIX_HOURS = 6 * 60;
const WEEK_DAYS = [1, 2, 3, 4, 5, 6, 7];
const { timeZone } = makeWarehouse();
const zone = tryZone(timeZone);
if (!zone) throw new Error(`no zone ${timeZone}`);

/** Mondays of weeks with one of the two days of clock change, and without. */
const MONDAYS = ["2026-03-02", "2026-06-08", "2026-10-26"];
const dateIn = (monday: string, days: number) =>
  new Date(Date.parse(monday) + days * DAY_MS).toISOString().slice(0, 10);

const minute = fc.nat(3).map((quarter) => quarter * SIX_HOURS);
const hours = fc.record({
  days: fc.subarray(WEEK_DAYS, { minLength: 1 }),
  start: minute,
  end: minute,
});
const someDurations = fc.oneof(
  fc.constant(DURATION_MINUTES),
  fc.subarray([...DURATION_MINUTES], { minLength: 1 }),
);
const values = fc.record({
  minPriceCents: fc.constantFrom(1, 4_000, 8_000, 12_000),
  minHourlyCents: fc.constantFrom(0, 2_000, 3_000, 4_500),
  bufferMinutes: fc.constantFrom(0, 45),
  durations: someDurations.map(minutesToDurations),
  onlyHourly: fc.boolean(),
  action: fc.constantFrom(...RULE_ACTIONS),
  askSeconds: fc.constantFrom(15, 60),
});
const warehouse = fc.record({
  first: values,
  further: fc.array(fc.tuple(values, fc.option(hours)), { maxLength: 4 }),
  /** Rules that differ in hours and lengths alone. */
  isAlike: fc.boolean(),
});
const day = fc.record({ active: fc.boolean(), start: minute, end: minute });
const week = fc.tuple(day, day, day, day, day, day, day);
const date = fc.record({
  kind: fc.constantFrom("off", "hours", "week"),
  day: fc.nat(8),
  start: minute,
  end: minute,
  week,
});
const settings = fc.record({
  warehouse,
  general: fc.option(fc.constantFrom(1_000, 2_500)),
  schedule: week,
  dates: fc.array(date, { maxLength: 2 }),
  monday: fc.constantFrom(...MONDAYS),
});
type Settings = Omit<typeof settings extends fc.Arbitrary<infer Value> ? Value : never, "dates"> & {
  dates: (typeof date extends fc.Arbitrary<infer Value> ? Value : never)[];
};

function filtersOf({ warehouse: { first, further, isAlike }, ...drawn }: Settings): Filters {
  const extraRules = further.map(([own, ofRule], index): ExtraRule => {
    const alike = isAlike ? { ...own, ...first, durations: own.durations } : own;
    return makeExtraRule({ ...alike, hours: ofRule, ruleId: `r${index}`, name: "" });
  });
  const rule: WarehouseFilter = makeWarehouseFilter({ ...first, extraRules });
  const exceptions = drawn.dates.map(({ kind, day: days, start, end, week: schedule }): DateException => {
    const from = dateIn(drawn.monday, days);
    if (kind === "off") return { kind, from, to: dateIn(drawn.monday, days + 1) };
    return kind === "hours"
      ? { kind, date: from, start, end }
      : { kind: "week", monday: drawn.monday, schedule };
  });
  return makeFilters({
    minHourlyCents: drawn.general,
    schedule: drawn.schedule,
    warehouses: [rule],
    dates: exceptions,
  });
}

/** The filters with some of the rules alone. */
function keepRules(compiled: CompiledFilters, keeps: (rule: CompiledRule) => boolean): CompiledFilters {
  const known = compiled.warehousesById.get(BETHPAGE);
  if (!known) throw new Error("no warehouse");
  return {
    ...compiled,
    warehousesById: new Map([[BETHPAGE, { ...known, rules: known.rules.filter(keeps) }]]),
  };
}

/** The action of the rules on an offer, and how long a question about it waits. */
function outcomeOf(offer: Offer, filters: CompiledFilters, now: EpochMs): string {
  const { rules } = judgeOffer(offer, matchContext(filters, now));
  const wanted = strongestAction(rules.map(({ requirements }) => requirements));
  if (!wanted) return "passed over";
  return wanted.action === "ask" ? `ask ${wanted.askSeconds}` : wanted.action;
}

const keyOf = ({ name: { ruleId } }: CompiledRule) => ruleId ?? "first";
const instantOf = (monday: string, minutes: number) =>
  zone.instantOf(dayOf(Date.parse(monday)) * DAY_MS + minutes * MINUTE_MS, "opening");

const makeBlockOffer = (startsAt: EpochMs, lengthMs: number, payCents: number) =>
  makeOffer("o", { startsAt, endsAt: startsAt + lengthMs, payCents, expiresAt: startsAt });

it("calls no rule covered that lets an offer through which no other does as much with", () => {
  const offer = fc.record({
    minutes: fc.integer({ min: -1_440, max: 11 * 1_440 }),
    lengthMinutes: fc.integer({ min: 20, max: 420 }),
    payCents: fc.integer({ min: 1, max: 20_000 }),
    /** Pays just what some rule asks for, and no more. */
    isLeast: fc.boolean(),
    noticeMinutes: fc.constantFrom(-5, 0, 30, 45, 300),
  });
  let coveredCount = 0;
  fc.assert(
    fc.property(settings, fc.array(offer, { minLength: 60, maxLength: 60 }), (drawn, offers) => {
      const filters = filtersOf(drawn);
      const [rule] = filters.warehouses;
      const compiled = compileFilters(makeProfile({ filters }), [makeWarehouse()]);
      if (!rule) throw new Error("no rule");
      const draft = toDraft(filters, []);
      const useless = new Set(findRuleNotices(draft, { ...rule, extraRules: [...rule.extraRules] }).keys());
      if (useless.size === 0) return;
      coveredCount += useless.size;
      const without = keepRules(compiled, (each) => !useless.has(keyOf(each)));
      const rules = compiled.warehousesById.get(BETHPAGE)?.rules ?? [];
      for (const [index, each] of offers.entries()) {
        const startsAt = instantOf(drawn.monday, each.minutes);
        const asks = rules[index % rules.length]?.requirements;
        const least = Math.max(
          asks?.minPriceCents ?? 1,
          Math.ceil(((asks?.minHourlyCents ?? 0) * each.lengthMinutes) / 60),
        );
        const payCents = each.isLeast ? least : each.payCents;
        const made = makeBlockOffer(startsAt, each.lengthMinutes * MINUTE_MS, payCents);
        const now = startsAt - each.noticeMinutes * MINUTE_MS;
        expect(outcomeOf(made, without, now)).toBe(outcomeOf(made, compiled, now));
      }
    }),
    draws({ whole: 6_000, usual: 400 }),
  );
  expect(coveredCount).toBeGreaterThanOrEqual(countOf({ whole: 300, usual: 20, few: 0 }));
});

it("calls every rule covered without which nothing changes, where no date differs from the week", () => {
  fc.assert(
    fc.property(settings, (drawn) => {
      const monday = at("2026-06-08T00:00:00Z");
      const filters = filtersOf({ ...drawn, dates: [], monday: "2026-06-08" });
      const [rule] = filters.warehouses;
      if (!rule) throw new Error("no rule");
      const draft = toDraft(filters, []);
      const useless = new Set(findRuleNotices(draft, { ...rule, extraRules: [...rule.extraRules] }).keys());
      const compiled = keepRules(
        compileFilters(makeProfile({ filters }), [makeWarehouse()]),
        (each) => !useless.has(keyOf(each)),
      );
      const rules = compiled.warehousesById.get(BETHPAGE)?.rules ?? [];
      const lengths = criticalLengths(rules);
      const starts = Array.from({ length: 28 }, (_, index) =>
        zone.instantOf(monday + index * SIX_HOURS * MINUTE_MS, "opening"),
      );
      for (const kept of rules) {
        const without = keepRules(compiled, (each) => each !== kept);
        const { minPriceCents, minHourlyCents, bufferMinutes } = kept.requirements;
        const decides = starts.some((startsAt) =>
          lengths.some((lengthMs) => {
            const payCents = Math.max(
              minPriceCents ?? 1,
              Math.ceil((minHourlyCents * lengthMs) / HOUR_MS),
              1,
            );
            const offer = makeBlockOffer(startsAt, lengthMs, payCents);
            const now = startsAt - bufferMinutes * MINUTE_MS;
            return outcomeOf(offer, compiled, now) !== outcomeOf(offer, without, now);
          }),
        );
        expect([keyOf(kept), decides]).toEqual([keyOf(kept), true]);
      }
    }),
    draws({ whole: 4_000, usual: 150 }),
  );
});

/** The lengths at which rules' least pay bends, the edges of the ten lengths, and what is on either side of each, in ms. */
function criticalLengths(rules: readonly CompiledRule[]): number[] {
  const asked = rules.map(({ requirements }) => requirements);
  const bends = asked.flatMap(({ minPriceCents }) =>
    asked.flatMap(({ minHourlyCents }) =>
      minHourlyCents === 0 ? [] : [((minPriceCents ?? 1) * HOUR_MS) / minHourlyCents],
    ),
  );
  const edges = DURATION_MINUTES.map(
    (minutes, index) => ((minutes + (DURATION_MINUTES[index - 1] ?? 0)) / 2) * MINUTE_MS,
  );
  const around = [...bends, ...edges].flatMap((length) =>
    [Math.floor(length) - 1, Math.floor(length), Math.ceil(length), Math.ceil(length) + 1].filter(
      (each) => each > 0,
    ),
  );
  return [...new Set([1, ...around, Math.max(...bends, ...edges) + 10 * HOUR_MS])];
}
