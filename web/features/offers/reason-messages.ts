import type { JudgedRule, Reason, ReasonCode } from "../../../db/shapes/work/verdict.ts";
import type { ServiceType } from "../../../db/shapes/work/filters.ts";
import { dayOfDate, type LocalDate } from "../../../db/shapes/work/local-date.ts";
import { DAY_MS, MINUTE_MS, type Cents, type EpochMs } from "../../../db/shapes/units.ts";
import { applyFilterChange } from "../../../db/shapes/work/apply-filter-change.ts";
import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import { nearestDuration } from "../../../db/shapes/work/durations.ts";
import { m } from "../../messages/messages.js";
import { capitalize } from "../language/capitalize.ts";
import {
  countInputs,
  formatCount,
  formatDate,
  formatDuration,
  formatHours,
  formatLength,
  formatList,
  formatMinuteOfDay,
  formatMoney,
  formatRate,
  formatTime,
  formatTimeRange,
  formatUntil,
  formatWeekday,
} from "../language/format.ts";
import type { OfferPlace } from "./offer-place.ts";
import { nameOfJudged } from "./rule-name.ts";
import {
  changeOfRule,
  NOTICE_STEP,
  raiseLimit,
  roundDown,
  shortenGap,
  startChange,
  WHOLE_UNIT,
  type ChangeContext,
} from "./reason-changes.ts";

/** The context for a reason's figures. `heldAt` is where the block is that it overlaps, if known. */
type ReasonContext = {
  place: OfferPlace;
  heldAt: OfferPlace | null;
  now: EpochMs;
  hourlyCents: Cents;
  /** The rule that the verdict is by, where there is more than one. */
  judgedBy?: JudgedRule | undefined;
};

/** The rule and the offer's value, side by side. `against` is what the rule is: a filter, or a block that was held. */
export type ReasonRow = { title: string; against: string; rule: string; offer: string };

type ReasonOf<Code extends ReasonCode> = { [Each in Code]: Extract<Reason, { code: Each }> }[Code];

/** The page's words and offer for a reason. */
type ReasonFacts<Of extends Reason> = {
  /** In a few words, for a row of a list. */
  message: (reason: Of) => string;
  /** The rule and the offer's value. */
  figures: (
    reason: Of,
    context: ReasonContext,
  ) => Omit<ReasonRow, "title" | "against"> & { against?: string };
  /** The common part of offers skipped for it. */
  group: () => string;
  /** The change that removes it. `allowed`: the present filters have no such reason any more. Null where none does. */
  change: (reason: Of, context: ChangeContext) => FilterChange | "allowed" | null;
};

const SERVICE_TYPE_LABELS = {
  parcel: m.service_type_parcel,
  whole_foods: m.service_type_whole_foods,
  grocery: m.service_type_grocery,
  other: m.service_type_other,
} satisfies Record<ServiceType, () => string>;

const NO_CHANGE = () => null;
const HALF_HOUR = 30;

/** Everything that the page knows of each reason. */
const REASONS: { readonly [Code in ReasonCode]: ReasonFacts<ReasonOf<Code>> } = {
  currency: {
    message: m.reason_currency,
    figures: ({ rule, offer }) => ({ rule, offer }),
    group: m.passed_currency,
    change: NO_CHANGE,
  },
  given_back: {
    message: m.reason_given_back,
    figures: ({ rule, offer }, { place: { timeZone }, now }) => ({
      rule: m.rule_given_back({ time: formatTime(rule, { timeZone, now }) }),
      offer: formatTimeRange(offer, { timeZone, now }),
    }),
    group: m.passed_given_back,
    change: NO_CHANGE,
  },
  expired: {
    message: m.reason_expired,
    figures: ({ rule, offer }, { place: { timeZone }, now }) => ({
      rule: m.rule_expired({ until: formatUntil(offer, { timeZone, now, seconds: true }) }),
      offer: formatTime(rule, { timeZone, now, seconds: true }),
    }),
    group: m.passed_expired,
    change: NO_CHANGE,
  },
  warehouse_not_selected: {
    message: m.reason_warehouse_not_selected,
    figures: ({ rule }, { place: { name } }) => ({
      rule: m.rule_selected_count(countInputs(rule.length)),
      offer: name,
    }),
    group: m.passed_warehouse_not_selected,
    change: (_reason, { filters, warehouseId }) =>
      filters.warehouses.some((filter) => filter.warehouseId === warehouseId)
        ? { kind: "select", warehouseId }
        : null,
  },
  service_type: {
    message: m.reason_service_type,
    figures: ({ rule, offer }) => ({
      rule: SERVICE_TYPE_LABELS[rule](),
      offer: SERVICE_TYPE_LABELS[offer](),
    }),
    group: m.passed_service_type,
    change: NO_CHANGE,
  },
  date_off: {
    message: ({ offer }) => m.reason_date_off({ date: formatDay(offer) }),
    figures: ({ rule: { from, to }, offer }) => ({
      rule: m.rule_date_off({ from: formatDay(from), to: formatDay(to) }),
      offer: formatDay(offer),
    }),
    group: m.passed_date_off,
    change: NO_CHANGE,
  },
  day_off: {
    message: ({ offer }) => capitalize(m.reason_day_off({ day: formatWeekday(offer) })),
    figures: ({ rule, offer }) => {
      const days = rule.map((day) => formatWeekday(day, "short"));
      return { rule: days.length > 0 ? formatList(days) : m.rule_no_days(), offer: formatWeekday(offer) };
    },
    group: m.passed_day_off,
    change: (_reason, context) => startChange(context),
  },
  outside_schedule: {
    message: m.reason_outside_schedule,
    figures: ({ rule: { start, end }, offer }) => ({
      rule: m.rule_window({ start: formatMinuteOfDay(start), end: formatMinuteOfDay(end) }),
      offer: formatMinuteOfDay(offer),
    }),
    group: m.passed_outside_schedule,
    change: ({ offer }, context) => startChange({ ...context, minute: offer }),
  },
  too_soon: {
    message: m.reason_too_soon,
    figures: ({ rule, offer }) => {
      const minutes = formatDuration(Math.abs(offer) * MINUTE_MS);
      return {
        rule: m.rule_ahead({ minutes: formatDuration(rule * MINUTE_MS) }),
        offer: offer < 0 ? m.rule_begun({ minutes }) : m.rule_ahead({ minutes }),
      };
    },
    group: m.passed_too_soon,
    change: ({ offer }, context) => {
      if (offer < 0) return null;
      const minutes = roundDown(offer, NOTICE_STEP);
      const first = { kind: "notice", warehouseId: context.warehouseId, minutes } as const;
      return changeOfRule(context, { figure: minutes, first });
    },
  },
  duration_not_preferred: {
    message: m.reason_duration_not_preferred,
    figures: ({ rule, offer }) => {
      const hours = formatList(rule.map(formatHours), "disjunction");
      return {
        rule: rule.length > 0 ? m.unit_hours({ hours }) : m.rule_no_durations(),
        offer: formatLength(offer),
      };
    },
    group: m.passed_duration_not_preferred,
    change: ({ offer }, context) => {
      const minutes = nearestDuration(offer * MINUTE_MS);
      const first = { kind: "length", warehouseId: context.warehouseId, minutes } as const;
      return changeOfRule(context, { figure: minutes, first });
    },
  },
  price_below_minimum: {
    message: m.reason_price_below_minimum,
    figures: ({ rule, offer }, { place: { currency } }) => ({
      rule: m.rule_at_least({ figure: formatMoney(rule, currency) }),
      offer: formatMoney(offer, currency),
    }),
    group: m.passed_price_below_minimum,
    change: ({ offer }, context) => {
      if (offer < 1) return null;
      const cents = roundDown(offer, WHOLE_UNIT) || offer;
      const first = { kind: "min_price", warehouseId: context.warehouseId, cents } as const;
      return changeOfRule(context, { figure: cents, first });
    },
  },
  rate_below_minimum: {
    message: m.reason_rate_below_minimum,
    figures: ({ rule }, { place: { currency }, hourlyCents }) => ({
      rule: m.rule_at_least({ figure: formatRate(rule, currency) }),
      offer: formatRate(hourlyCents, currency),
    }),
    group: m.passed_rate_below_minimum,
    change: ({ offer }, context) => {
      const cents = roundDown(offer, WHOLE_UNIT);
      const first = { kind: "min_hourly", warehouseId: context.warehouseId, cents } as const;
      return changeOfRule(context, { figure: cents, first });
    },
  },
  weekly_limit: {
    message: m.reason_weekly_limit,
    figures: ({ rule: { minutes, until }, offer }, { place: { timeZone }, now }) => ({
      against: m.offer_platform_limit(),
      rule: m.rule_weekly_limit({
        length: formatLength(minutes),
        until: formatUntil(until, { timeZone, now }),
      }),
      offer: formatLength(offer),
    }),
    group: m.passed_weekly_limit,
    change: NO_CHANGE,
  },
  day_limit: {
    message: m.reason_day_limit,
    figures: ({ unit, rule, offer }) => ({
      against: m.offer_your_limit(),
      ...(unit === "blocks"
        ? { rule: m.rule_blocks(countInputs(rule)), offer: m.offer_comes_to({ figure: formatCount(offer) }) }
        : hoursOf(m.rule_hours_day, rule, offer)),
    }),
    group: m.passed_day_limit,
    change: ({ unit, offer }) =>
      unit === "blocks" ? raiseLimit("blocksPerDay", offer) : raiseLimit("minutesPerDay", offer, HALF_HOUR),
  },
  week_limit: {
    message: m.reason_week_limit,
    figures: ({ rule, offer }) => ({
      against: m.offer_your_limit(),
      ...hoursOf(m.rule_hours_week, rule, offer),
    }),
    group: m.passed_week_limit,
    change: ({ offer }) => raiseLimit("minutesPerWeek", offer, HALF_HOUR),
  },
  goal_reached: {
    message: m.reason_goal_reached,
    figures: ({ rule, offer }, { place: { currency } }) => ({
      against: m.offer_your_limit(),
      rule: m.rule_stop_at({ figure: formatMoney(rule, currency) }),
      offer: m.offer_already({ figure: formatMoney(offer, currency) }),
    }),
    group: m.passed_goal_reached,
    change: ({ offer }) => raiseLimit("weekGoalCents", offer + 1, WHOLE_UNIT),
  },
  rest: {
    message: m.reason_rest,
    figures: ({ rule, offer }) => gapOf(rule, offer),
    group: m.passed_rest,
    change: ({ offer }) => shortenGap("restMinutes", offer),
  },
  travel: {
    message: m.reason_travel,
    figures: ({ rule, offer }) => gapOf(rule, offer),
    group: m.passed_travel,
    change: ({ offer }) => shortenGap("travelMinutes", offer),
  },
  overlaps_block: {
    message: m.reason_overlaps_block,
    figures: ({ rule, offer }, { place: { timeZone }, heldAt, now }) => {
      const when = formatTimeRange(rule, { timeZone: heldAt?.timeZone ?? timeZone, now });
      return {
        against: m.offer_your_block(),
        rule: heldAt ? m.offer_block_at({ name: heldAt.name, when }) : when,
        offer: formatTimeRange(offer, { timeZone, now }),
      };
    },
    group: m.passed_overlaps_block,
    change: NO_CHANGE,
  },
  passed: {
    message: m.reason_passed,
    figures: ({ rule, offer }, { place: { timeZone }, now }) => ({
      against: m.offer_question(),
      rule: m.rule_asked({ time: formatTime(rule, { timeZone, now, seconds: true }) }),
      offer: m.rule_passed({ time: formatTime(offer, { timeZone, now, seconds: true }) }),
    }),
    group: m.passed_passed,
    change: NO_CHANGE,
  },
  unanswered: {
    message: m.reason_unanswered,
    figures: ({ rule, offer }, { place: { timeZone }, now }) => ({
      against: m.offer_question(),
      rule: m.rule_asked({ time: formatTime(rule, { timeZone, now, seconds: true }) }),
      offer: m.rule_unanswered({ time: formatTime(offer, { timeZone, now, seconds: true }) }),
    }),
    group: m.passed_unanswered,
    change: NO_CHANGE,
  },
  only_told: {
    message: m.reason_only_told,
    figures: ({ rule }) => ({
      rule: rule === "tell" ? m.rule_only_tell() : m.rule_asked_enough(),
      offer: "–",
    }),
    group: m.passed_only_told,
    change: NO_CHANGE,
  },
  other: {
    message: m.reason_other,
    figures: () => ({ rule: "–", offer: "–" }),
    group: m.passed_other,
    change: NO_CHANGE,
  },
};

function formatDay(date: LocalDate): string {
  return formatDate(dayOfDate(date) * DAY_MS, "UTC");
}

/** The hours of a day or week, and what they come to with an offer. */
function hoursOf(say: (inputs: { length: string }) => string, most: number, comesTo: number) {
  return {
    rule: say({ length: formatLength(most) }),
    offer: m.offer_comes_to({ figure: formatLength(comesTo) }),
  };
}

/** The minutes between two blocks: required, and left. */
function gapOf(required: number, left: number) {
  return {
    against: m.offer_your_limit(),
    rule: m.rule_between({ minutes: formatMinutes(required) }),
    offer: m.rule_between({ minutes: formatMinutes(left) }),
  };
}

function formatMinutes(minutes: number): string {
  return minutes === 0 ? m.unit_minutes({ minutes: formatCount(0) }) : formatDuration(minutes * MINUTE_MS);
}

/** A reason in a few words, for a row of a list. */
export function reasonMessage<Code extends ReasonCode>(reason: ReasonOf<Code>): string {
  return REASONS[reason.code].message(reason);
}

/** The common part of offers skipped for one reason. */
export function groupMessage(code: ReasonCode): string {
  return REASONS[code].group();
}

/** The first reason, how many more there are, and the rule that it is by where a warehouse has more than one. */
export function reasonSummary(reasons: readonly Reason[], judgedBy?: JudgedRule): string {
  const [first, ...rest] = reasons;
  if (!first) return m.feed_match();
  const reason =
    rest.length === 0
      ? reasonMessage(first)
      : m.feed_more_reasons({ reason: reasonMessage(first), count: formatCount(rest.length) });
  const rule = nameOfJudged(first, judgedBy);
  return rule === null ? reason : m.feed_reason_of_rule({ reason, rule });
}

/** A reason as a table row: the rule and the offer's value. `hourlyCents` is the offer's hourly pay as it is shown. */
export function toReasonRow<Code extends ReasonCode>(
  reason: ReasonOf<Code>,
  context: ReasonContext,
): ReasonRow {
  const title = reasonMessage(reason);
  const rule = nameOfJudged(reason, context.judgedBy);
  const against = rule === null ? m.offer_your_rule() : m.offer_rule_named({ name: rule });
  return { title, against, ...REASONS[reason.code].figures(reason, context) };
}

/**
 * The change that removes a reason against an offer. `allowed`: the present filters have no such reason any more. Null
 * where no change of the filters removes it.
 */
export function reasonChange<Code extends ReasonCode>(
  reason: ReasonOf<Code>,
  context: ChangeContext,
): FilterChange | "allowed" | null {
  const change = REASONS[reason.code].change(reason, context);
  if (change === null || change === "allowed") return change;
  return applyFilterChange(context.filters, change) === context.filters ? "allowed" : change;
}
