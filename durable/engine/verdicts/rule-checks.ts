import { nearestDuration } from "../../../db/shapes/work/durations.ts";
import { dateOfDay, weekdayOf } from "../../../db/shapes/work/local-date.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import type { Reason, ReasonCode } from "../../../db/shapes/work/verdict.ts";
import { HOUR_MS, MINUTE_MS, type Cents, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";
import type { CompiledFilters, CompiledRule, WarehouseRequirements } from "./compiled-filters.ts";
import { isInSchedule, type Calendar } from "../schedule/schedule.ts";
import { dayOf, minuteOf } from "../schedule/zone.ts";

/** A block that pays less is never wanted, whatever the filters. */
const LEAST_PAY_CENTS: Cents = 1;

/** The reason against an offer that each requirement of a rule gives. One that is missing here doesn't compile. */
type RequirementCodes = {
  bufferMinutes: "too_soon";
  durationMinutes: "duration_not_preferred";
  minPriceCents: "price_below_minimum";
  minHourlyCents: "rate_below_minimum";
  action: never;
  askSeconds: never;
};

type OutsideCode = "date_off" | "day_off" | "outside_schedule";

/** The reasons that the rules of a warehouse decide, each rule for itself. */
export type RuleCode = OutsideCode | RequirementCodes[keyof WarehouseRequirements];

/**
 * The days and requirements of a rule. `calendar` is null for an unknown warehouse, `requirements` for one that isn't
 * selected.
 */
export type JudgingRule = { calendar: Calendar | null; requirements: WarehouseRequirements | null };

/** The standards that all rules of a driver share. */
export type SharedTerms = {
  now: EpochMs;
  /** The currency of the filters' amounts. */
  currency: string;
  filters: Pick<CompiledFilters, "generalMinHourlyCents">;
};

type RuleCheck<Code extends RuleCode> = (
  offer: Offer,
  rule: JudgingRule,
  terms: SharedTerms,
) => Extract<Reason, { code: Code }> | null;

/** A start outside of a rule's days and hours, by the wall clock. */
type OutsideCheck<Code extends RuleCode> = (outside: {
  calendar: Calendar;
  at: number;
}) => Extract<Reason, { code: Code }> | null;

/**
 * Every reason that depends on a rule, with its check. If the warehouse is not selected, its buffer, durations and minimums
 * don't apply, but the general filters do. Amounts of another currency are not compared with the filters' minimums.
 */
const RULE_CHECKS: { readonly [Code in OutsideCode]: OutsideCheck<Code> } & {
  readonly [Code in Exclude<RuleCode, OutsideCode>]: RuleCheck<Code>;
} = {
  date_off: ({ calendar: { days }, at }) => {
    const day = dayOf(at);
    const off = days.offOn(day);
    if (!off) return null;
    const rule = { from: dateOfDay(off.from), to: dateOfDay(off.to) };
    return { code: "date_off", rule, offer: dateOfDay(day) };
  },
  day_off: ({ calendar: { days }, at }) => {
    const day = dayOf(at);
    if (days.scheduleOf(day).active || days.offOn(day)) return null;
    return { code: "day_off", rule: [...days.activeDays], offer: weekdayOf(day) };
  },
  outside_schedule: ({ calendar: { days }, at }) => {
    const day = dayOf(at);
    const { active, start, end } = days.scheduleOf(day);
    if (!active || days.offOn(day)) return null;
    return { code: "outside_schedule", rule: { start, end }, offer: minuteOf(at) };
  },
  too_soon: (offer, rule, { now }) => {
    if (!isTooSoon(offer, rule, now)) return null;
    const leftMs = offer.startsAt - now;
    return { code: "too_soon", rule: bufferOf(rule), offer: Math.floor(leftMs / MINUTE_MS) };
  },
  duration_not_preferred: (offer, { requirements }) => {
    if (!requirements || !isOtherLength(offer, requirements)) return null;
    const minutes = Math.round((offer.endsAt - offer.startsAt) / MINUTE_MS);
    return { code: "duration_not_preferred", rule: [...requirements.durationMinutes], offer: minutes };
  },
  price_below_minimum: (offer, rule, { currency }) => {
    const minPriceCents = minPriceOf(rule);
    return isPayTooLow(offer, minPriceCents, currency)
      ? { code: "price_below_minimum", rule: minPriceCents, offer: offer.payCents }
      : null;
  },
  /** The figure in the reason is the highest minimum that the offer reaches. */
  rate_below_minimum: (offer, rule, terms) => {
    if (!isRateTooLow(offer, rule, terms)) return null;
    const { payCents, startsAt, endsAt } = offer;
    const rate = Math.floor((payCents * HOUR_MS) / (endsAt - startsAt));
    return { code: "rate_below_minimum", rule: minHourlyOf(rule, terms), offer: rate };
  },
};

function bufferOf({ requirements }: JudgingRule): number {
  return requirements?.bufferMinutes ?? 0;
}

function isTooSoon({ startsAt }: Offer, rule: JudgingRule, now: EpochMs): boolean {
  return startsAt - now < bufferOf(rule) * MINUTE_MS;
}

function isOtherLength({ startsAt, endsAt }: Offer, { durationMinutes }: WarehouseRequirements): boolean {
  return !isPreferredDuration(durationMinutes, endsAt - startsAt);
}

/** The least pay of a block; -Infinity where only the hourly one counts. */
function minPriceOf({ requirements }: JudgingRule): Cents {
  if (!requirements) return -Infinity;
  // The least minimum that a driver can set is one cent: where only an hourly minimum of 0 applies, it still holds.
  return requirements.minPriceCents ?? (requirements.minHourlyCents === 0 ? LEAST_PAY_CENTS : -Infinity);
}

function isPayTooLow(offer: Offer, minPriceCents: Cents, currency: string): boolean {
  return offer.payCents < minPriceCents && offer.currency === currency;
}

function minHourlyOf({ requirements }: JudgingRule, { filters }: SharedTerms): Cents {
  return requirements?.minHourlyCents ?? filters.generalMinHourlyCents;
}

/** Compares pay · 1 h with minimum · length, in milliseconds, so that nothing is rounded. */
function isRateTooLow(
  { payCents, startsAt, endsAt, currency }: Offer,
  rule: JudgingRule,
  terms: SharedTerms,
): boolean {
  return payCents * HOUR_MS < minHourlyOf(rule, terms) * (endsAt - startsAt) && currency === terms.currency;
}

/**
 * How many reasons one rule has against an offer, without building them: a start outside its days and hours is one. If there
 * are `enough` without that one, it is skipped, since checking the calendar takes longest.
 */
export function countRuleReasons(
  offer: Offer,
  { rule, terms, enough }: { rule: JudgingRule; terms: SharedTerms; enough: number },
): number {
  const { calendar, requirements } = rule;
  const others =
    Number(isTooSoon(offer, rule, terms.now)) +
    Number(requirements !== null && isOtherLength(offer, requirements)) +
    Number(isPayTooLow(offer, minPriceOf(rule), terms.currency)) +
    Number(isRateTooLow(offer, rule, terms));
  return others >= enough || calendar === null || isInSchedule(calendar, offer.startsAt)
    ? others
    : others + 1;
}

/** Adds the reasons of one rule against an offer. */
export function addRuleReasons(reasons: Reason[], offer: Offer, rule: JudgingRule, terms: SharedTerms): void {
  const { calendar } = rule;
  const isOutside = calendar !== null && !isInSchedule(calendar, offer.startsAt);
  const outside = isOutside ? { calendar, at: calendar.zone.wallAt(offer.startsAt) } : null;
  // Called by name, so that each can be inlined: millions of offers are judged so.
  pushRuleReasons(
    reasons,
    outside && RULE_CHECKS.date_off(outside),
    outside && RULE_CHECKS.day_off(outside),
    outside && RULE_CHECKS.outside_schedule(outside),
    RULE_CHECKS.too_soon(offer, rule, terms),
    RULE_CHECKS.duration_not_preferred(offer, rule, terms),
    RULE_CHECKS.price_below_minimum(offer, rule, terms),
    RULE_CHECKS.rate_below_minimum(offer, rule, terms),
  );
}

const pushRuleReasons = reasonPusher<RuleCode>();

type Found = Reason | null;
/** Has no value where the results of a group of checks miss one of its codes. */
type Complete<Code extends ReasonCode, Results extends Found> = Code extends NonNullable<Results>["code"]
  ? unknown
  : never;

/**
 * Adds the results of a group of checks to a list, without what is no reason. Does not compile where a code is missing. Takes
 * them one by one, since a list of them would be made for each of millions of offers.
 */
export function reasonPusher<Code extends ReasonCode>() {
  return <
    A extends Found,
    B extends Found,
    C extends Found,
    D extends Found,
    E extends Found,
    F extends Found = null,
    G extends Found = null,
  >(
    reasons: Reason[],
    a: A & Complete<Code, A | B | C | D | E | F | G>,
    b: B,
    c: C,
    d: D,
    e: E,
    f?: F,
    g?: G,
  ): void => {
    if (a) reasons.push(a);
    if (b) reasons.push(b);
    if (c) reasons.push(c);
    if (d) reasons.push(d);
    if (e) reasons.push(e);
    if (f) reasons.push(f);
    if (g) reasons.push(g);
  };
}

/** Whether the driver wants the nearest of the ten lengths. False if the block ends before it starts. */
function isPreferredDuration(chosenMinutes: readonly number[], lengthMs: DurationMs): boolean {
  return lengthMs > 0 && chosenMinutes.includes(nearestDuration(lengthMs));
}

/**
 * The least pay in cents for which the filters take an offer of this start and length at this warehouse: the greater of the
 * block minimum and the hourly minimum, rounded up; the least of the rules that would take it now. Those that would only ask or
 * tell the driver of it take it for no pay. Null if the warehouse is not selected.
 */
export function minimumPay(compiled: CompiledFilters, offer: Offer, now: EpochMs): Cents | null {
  const rules = compiled.warehousesById.get(offer.warehouseId)?.rules ?? [];
  const taking = rules.filter(
    (rule) =>
      rule.requirements.action === "take" &&
      isInSchedule(rule.calendar, offer.startsAt) &&
      !isTooSoon(offer, rule, now) &&
      !isOtherLength(offer, rule.requirements),
  );
  const lengthMs = offer.endsAt - offer.startsAt;
  const least = (taking.length > 0 ? taking : rules.slice(0, 1)).map((rule) => leastPayOf(rule, lengthMs));
  return least.length > 0 ? Math.min(...least) : null;
}

function leastPayOf(rule: CompiledRule, lengthMs: DurationMs): Cents {
  const byRate = Math.ceil((rule.requirements.minHourlyCents * lengthMs) / HOUR_MS);
  return Math.max(minPriceOf(rule), byRate);
}
