import type { DateException, Filters, RuleHours } from "../../../db/shapes/work/filters.ts";
import { compileFilters } from "../../../durable/engine/verdicts/compiled-filters.ts";
import { judgedRuleOf, judgeOffer } from "../../../durable/engine/verdicts/match.ts";
import {
  at,
  clock,
  makeExtraRule,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouse,
  makeWarehouseFilter,
  matchContext,
  week,
} from "../fixtures.ts";

/** The filters of a driver at one warehouse. */
export const compiled = (fields: Partial<Filters>) =>
  compileFilters(makeProfile({ filters: makeFilters(fields) }), [makeWarehouse()]);

/** The same hours on some weekdays. */
export const hours = (days: number[], start: string, end: string): RuleHours => ({
  days,
  start: clock(start),
  end: clock(end),
});

/** The codes against a start, and the name of the rule that they are of. */
export function verdictOn(startsAt: string, fields: Partial<Filters>, now = at("2026-06-01T00:00:00Z")) {
  const context = matchContext(compiled(fields), now);
  const offer = makeOffer("a", { startsAt: at(startsAt) });
  const match = judgeOffer(offer, context);
  return { codes: match.reasons.map(({ code }) => code), rule: judgedRuleOf(match, context, offer) };
}

/** A rule with hours of its own beside a first one for Wednesdays from 9 to 17. 2026-06-10 is a Wednesday. */
export const withHours = (own: RuleHours, dates: DateException[] = []): Partial<Filters> => ({
  schedule: week(clock("09:00"), clock("17:00"), [3]),
  warehouses: [makeWarehouseFilter({ extraRules: [makeExtraRule({ hours: own })] })],
  dates,
});
