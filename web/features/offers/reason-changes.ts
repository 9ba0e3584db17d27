import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import type { ExtraRule, Filters, Limit } from "../../../db/shapes/work/filters.ts";
import type { JudgedRule } from "../../../db/shapes/work/verdict.ts";
import type { MinuteOfDay, WarehouseId } from "../../../db/shapes/units.ts";

/** Amounts are lowered to whole units, notice and gaps to five minutes, hours to the half; limits are raised the same. */
export const WHOLE_UNIT = 100;
export const NOTICE_STEP = 5;
const WINDOW_STEP = 30;

/**
 * The target of a change: the saved filters, the offer's warehouse, the ISO weekday of its start, and the rule that the
 * verdict is by where there is more than one.
 */
export type ChangeContext = {
  filters: Filters;
  warehouseId: WarehouseId;
  weekday: number;
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

/** Works on the offer's weekday: the rule's own where it has hours, else the schedule's. */
export function dayChange(day: number, context: ChangeContext): FilterChange | null {
  const own = ownHours(context);
  if (own === undefined) return null;
  if (own === null) return { kind: "day_on", day };
  return ruleChange(context, { rule: own.rule, part: "day_on", figure: day });
}

/**
 * Opens the weekday's window up to a start before it, or closes it after one behind it; that of the rule where it has
 * hours.
 */
export function windowChange(minute: MinuteOfDay, context: ChangeContext): FilterChange | "allowed" | null {
  const { filters, weekday: day } = context;
  const own = ownHours(context);
  if (own === undefined) return null;
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
