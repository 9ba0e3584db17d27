import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import type { DateException, ExtraRule, Filters, Limit } from "../../../db/shapes/work/filters.ts";
import { dayOfDate, weekdayOf, type LocalDate } from "../../../db/shapes/work/local-date.ts";
import type { JudgedRule } from "../../../db/shapes/work/verdict.ts";
import type { MinuteOfDay, WarehouseId } from "../../../db/shapes/units.ts";

/** Amounts are lowered to whole units, notice and gaps to five minutes, hours to the half; limits are raised the same. */
export const WHOLE_UNIT = 100;
export const NOTICE_STEP = 5;
const WINDOW_STEP = 30;

/**
 * The target of a change: the saved filters, the offer's warehouse, the date of its start there, and the rule that the verdict
 * is by where there is more than one.
 */
export type ChangeContext = {
  filters: Filters;
  warehouseId: WarehouseId;
  date: LocalDate;
  judgedBy?: JudgedRule | undefined;
};

type RuleChange = Extract<FilterChange, { kind: "rule" }>;
/** A change of the first rule of a warehouse. */
type FirstChange = Extract<FilterChange, { kind: "min_price" | "min_hourly" | "notice" | "length" }>;

/**
 * The change of the rule that a verdict is by: `first` if that is the first one, which it names if there are others.
 * Null if it is gone.
 */
export function changeOfRule(
  context: ChangeContext,
  { figure, first }: Pick<RuleChange, "figure"> & { first: FirstChange },
): FilterChange | null {
  const { judgedBy } = context;
  if (!judgedBy) return first;
  if (judgedBy.ruleId === null) return { ...first, rule: judgedBy };
  const isThere = furtherRule(context.filters, context.warehouseId, judgedBy) !== undefined;
  return isThere ? ruleChange(context, { rule: judgedBy, part: first.kind, figure }) : null;
}

function ruleChange(
  { warehouseId }: ChangeContext,
  change: Pick<RuleChange, "rule" | "part" | "figure">,
): RuleChange {
  return { kind: "rule", warehouseId, ...change };
}

function furtherRule(filters: Filters, id: WarehouseId, { ruleId }: JudgedRule): ExtraRule | undefined {
  const filter = filters.warehouses.find(({ warehouseId }) => warehouseId === id);
  return filter?.extraRules.find((extra) => extra.ruleId === ruleId);
}

/** Works on the offer's weekday: the rule's own where it has hours, else the schedule's, unless its date differs from that. */
export function dayChange(day: number, context: ChangeContext): FilterChange | null {
  const own = ownHours(context);
  if (own === undefined) return null;
  if (own === null) return hasOwnDate(context) ? null : { kind: "day_on", day };
  return ruleChange(context, { rule: own.rule, part: "day_on", figure: day });
}

/**
 * Opens the weekday's window up to a start before it, or closes it after one behind it; that of the rule where it has
 * hours. Null where the offer's date differs from the schedule: no weekday's window changes that.
 */
export function windowChange(minute: MinuteOfDay, context: ChangeContext): FilterChange | "allowed" | null {
  const { filters } = context;
  const day = weekdayOf(dayOfDate(context.date));
  const own = ownHours(context);
  if (own === undefined || (own === null && hasOwnDate(context))) return null;
  const hours = own?.hours;
  const window = hours ?? filters.schedule[day - 1];
  const isActive = hours ? hours.days.includes(day) : filters.schedule[day - 1]?.active === true;
  if (!window || !isActive) return dayChange(day, context);
  const { start, end } = window;
  const isOvernight = end <= start;
  if (minute >= start && (isOvernight || minute < end)) return "allowed";
  const kind = minute < start ? "earlier" : "later";
  const minutes =
    minute < start
      ? start - roundDown(minute, WINDOW_STEP)
      : roundDown(minute, WINDOW_STEP) + WINDOW_STEP - end;
  return own ? ruleChange(context, { rule: own.rule, part: kind, figure: minutes }) : { kind, day, minutes };
}

/** The rule that a verdict is by, with its own hours; null where the schedule's count, undefined if the rule is gone. */
function ownHours({ filters, warehouseId, judgedBy }: ChangeContext) {
  if (!judgedBy || judgedBy.ruleId === null) return null;
  const rule = furtherRule(filters, warehouseId, judgedBy);
  return rule && (rule.hours === null ? null : { rule: judgedBy, hours: rule.hours });
}

/** Whether the offer's date is one that differs from the week's schedule. */
function hasOwnDate({ filters, date }: ChangeContext): boolean {
  return filters.dates.some((exception) => concerns(exception, date));
}

function concerns(exception: DateException, date: LocalDate): boolean {
  switch (exception.kind) {
    case "off":
      return exception.from <= date && date <= exception.to;
    case "hours":
      return exception.date === date;
    case "week":
      return dayOfDate(exception.monday) === dayOfDate(date) + 1 - weekdayOf(dayOfDate(date));
  }
}

/** Makes room for what the blocks came to with an offer. */
export function raiseLimit(limit: Limit, comesTo: number, step = 1): FilterChange {
  return { kind: "limit", limit, figure: Math.ceil(comesTo / step) * step };
}

/** Lets blocks be as close as an offer was. */
export function shortenGap(limit: "restMinutes" | "travelMinutes", left: number): FilterChange {
  return { kind: "limit", limit, figure: roundDown(left, NOTICE_STEP) || null };
}

export function roundDown(value: number, step: number): number {
  return Math.floor(value / step) * step;
}
