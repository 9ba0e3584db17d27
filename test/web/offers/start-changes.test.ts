import * as fc from "fast-check";
import { expect, it } from "vitest";
import { applyFilterChange } from "../../../db/shapes/work/apply-filter-change.ts";
import type { Filters, RuleHours } from "../../../db/shapes/work/filters.ts";
import { DAY_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { dateOfDay } from "../../../db/shapes/work/local-date.ts";
import { compileFilters } from "../../../durable/engine/verdicts/compiled-filters.ts";
import { judgedRuleOf, judgeOffer } from "../../../durable/engine/verdicts/match.ts";
import { reasonChange } from "../../../web/features/offers/reason-messages.ts";
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
  NOON,
} from "../../engine/fixtures.ts";
import { draws } from "../../support/draws.ts";

const minute = fc.oneof(
  fc.integer({ min: 0, max: 1439 }),
  fc.integer({ min: 0, max: 47 }).map((halves) => halves * 30),
);
const window = fc.record({ start: minute, end: minute });
const day = fc.record({ active: fc.boolean(), start: minute, end: minute });
const weekdays = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 });
const ruleHours = fc.option(
  fc
    .tuple(weekdays, window)
    .map(([days, hours]): RuleHours => ({ days: days.toSorted((one, other) => one - other), ...hours })),
);

/** A week's schedule, or a rule with hours of its own, which alone can let the offer through. */
function filtersOf(schedule: Filters["schedule"], hours: RuleHours | null): Filters {
  const extraRules = hours ? [makeExtraRule({ ruleId: "a", hours })] : [];
  const first = hours ? { minPriceCents: 100_000, minHourlyCents: 100_000 } : {};
  return makeFilters({ schedule, warehouses: [makeWarehouseFilter({ ...first, extraRules })] });
}

/** The first days after `NOON` that begin in New York, counted from 1970. */
const days = fc.integer({ min: Math.floor(NOON / DAY_MS) + 1, max: Math.floor(NOON / DAY_MS) + 7 });

it("two changes at most let an offer through that only its start kept out, and none is said to where one is left", () => {
  fc.assert(
    fc.property(
      fc.tuple(day, day, day, day, day, day, day),
      ruleHours,
      days,
      minute,
      (schedule, ...drawn) => {
        const [hours, start, startMinute] = drawn;
        const date = dateOfDay(start);
        const offer = makeOffer("one", { startsAt: at(`${date}T00:00:00-04:00`) + startMinute * MINUTE_MS });
        const judge = (filters: Filters) => {
          const context = matchContext(compileFilters(makeProfile({ filters }), [makeWarehouse()]), NOON);
          const match = judgeOffer(offer, context);
          return { reasons: match.reasons, judgedBy: judgedRuleOf(match, context, offer) };
        };
        const saved = filtersOf(schedule, hours);
        const { reasons, judgedBy } = judge(saved);
        const [reason] = reasons;
        if (!reason || (hours && judgedBy?.ruleId !== "a")) return;
        const changeOf = (filters: Filters) =>
          reasonChange(reason, { filters, warehouseId: BETHPAGE, date, minute: startMinute, judgedBy });
        let filters = saved;
        for (let taps = 0; taps <= 2; taps += 1) {
          const change = changeOf(filters);
          if (change === null) return;
          if (change === "allowed") break;
          filters = applyFilterChange(filters, change);
        }
        expect([changeOf(filters), judge(filters).reasons]).toEqual(["allowed", []]);
      },
    ),
    draws({ whole: 20_000, usual: 800 }),
  );
});
