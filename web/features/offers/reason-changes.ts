import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import type { DateException, ExtraRule, Filters, Limit, RuleHours } from "../../../db/shapes/work/filters.ts";
import { dateOfDay, dayOfDate, weekdayOf, type LocalDate } from "../../../db/shapes/work/local-date.ts";
import type { JudgedRule } from "../../../db/shapes/work/verdict.ts";
import type { MinuteOfDay, WarehouseId } from "../../../db/shapes/units.ts";

/** Amounts are lowered to whole units, notice and gaps to five minutes, hours to the half; limits are raised the same. */
export const WHOLE_UNIT = 100;
export const NOTICE_STEP = 5;
const WINDOW_STEP = 30;
const MINUTES_PER_DAY = 1440;

/**
 * The target of a change: the saved filters, the offer's warehouse, the date and minute of its start there, and the rule that
 * the verdict is by where there is more than one.
 */
export type ChangeContext = {
  filters: Filters;
  warehouseId: WarehouseId;
  date: LocalDate;
  minute: MinuteOfDay;
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

/**
 * Lets blocks start when the offer does: works on its weekday, or moves the nearest end of a window to it, of that day or of
 * the night before. Those are the rule's own where it has hours, else the schedule's. Null where the offer's date differs from
 * the schedule: no weekday's window changes that.
 */
export function startChange(context: ChangeContext): FilterChange | "allowed" | null {
  const { date, minute } = context;
  const own = ownHours(context);
  if (own === undefined || (own === null && hasOwnDate(context, date))) return null;
  const hours = own?.hours ?? null;
  const today = windowOn(date, hours, context);
  const night = nightBefore(hours, context);
  if (!today) return null;
  const missing = missingMinutes(today, minute);
  if ((today.active && missing === 0) || (night && minute < night.end)) return "allowed";
  const rounded = roundDown(minute, WINDOW_STEP);
  const change = (kind: "earlier" | "later", { day }: { day: number }, minutes: number): FilterChange =>
    own ? ruleChange(context, { rule: own.rule, part: kind, figure: minutes }) : { kind, day, minutes };
  const longer = night && minute < night.start ? rounded + WINDOW_STEP - night.end : Infinity;
  if (night && longer < missing) return change("later", night, longer);
  if (missing === Infinity) return null;
  if (!today.active)
    return own
      ? ruleChange(context, { rule: own.rule, part: "day_on", figure: today.day })
      : { kind: "day_on", day: today.day };
  return change(minute < today.start ? "earlier" : "later", today, missing);
}

/** The window of a date's weekday, whether or not it is worked. */
function windowOn(date: LocalDate, hours: RuleHours | null, { filters }: ChangeContext) {
  const day = weekdayOf(dayOfDate(date));
  const window = hours ? { ...hours, active: hours.days.includes(day) } : filters.schedule[day - 1];
  return window && { day, active: window.active, start: window.start, end: window.end };
}

/** The window of the day before, whose end is on the offer's own day: negative where it closes before midnight. */
function nightBefore(hours: RuleHours | null, context: ChangeContext) {
  const date = dateOfDay(dayOfDate(context.date) - 1);
  const window = windowOn(date, hours, context);
  if (!window?.active || hasOwnDate(context, date)) return null;
  const { day, start, end } = window;
  return { day, start, end: end <= start ? end : end - MINUTES_PER_DAY };
}

/**
 * By how much a window has to open earlier, or close later, for a start in it; 0 if it holds that already. Infinity where it
 * opens later and lasts 24 hours: it gets no longer.
 */
function missingMinutes(
  { start, end }: { start: MinuteOfDay; end: MinuteOfDay },
  minute: MinuteOfDay,
): number {
  const rounded = roundDown(minute, WINDOW_STEP);
  if (minute < start) return end === start ? Infinity : start - rounded;
  return end <= start || minute < end ? 0 : rounded + WINDOW_STEP - end;
}

/** The rule that a verdict is by, with its own hours; null where the schedule's count, undefined if the rule is gone. */
function ownHours({ filters, warehouseId, judgedBy }: ChangeContext) {
  if (!judgedBy || judgedBy.ruleId === null) return null;
  const rule = furtherRule(filters, warehouseId, judgedBy);
  return rule && (rule.hours === null ? null : { rule: judgedBy, hours: rule.hours });
}

/** Whether a date is one that differs from the week's schedule. */
function hasOwnDate({ filters }: ChangeContext, date: LocalDate): boolean {
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
