import * as z from "zod/mini";
import {
  DURATION_MINUTES,
  durationsToMinutes,
  minutesToDurations,
} from "../../../db/shapes/work/durations.ts";
import {
  dateException,
  extraRule,
  FIGURE_UNITS,
  INITIAL_RULE,
  MAX_WAREHOUSES,
  NO_LIMITS,
  ruleHours,
  warehouseFilter,
  weekday,
  weekSchedule,
  type DaySchedule,
  type ExtraRule,
  type FigureField,
  type Filters,
  type Limit,
  type Limits,
  type RuleField,
  type WarehouseFilter,
} from "../../../db/shapes/work/filters.ts";
import type { WarehouseId } from "../../../db/shapes/units.ts";

/** A number field's value: null while it can't be parsed. */
const nullableFigure = z.nullable(z.int());

/** A warehouse's filter while it is edited. */
export type DraftRule = WithFigures<Omit<WarehouseFilter, "extraRules">> & { extraRules: DraftExtraRule[] };

/** One of its further rules. No day at all is an issue of its hours, and not the week's schedule. */
export type DraftExtraRule = WithFigures<ExtraRule>;

type WithFigures<Rule> = { [Field in keyof Rule]: Field extends FigureField ? number | null : Rule[Field] };

/** A limit that is off keeps its figure, in case it is turned on again; at first there is none. */
const draftLimit = z.object({ isOn: z.boolean(), figure: nullableFigure });
export type DraftLimit = z.infer<typeof draftLimit>;
export type DraftLimits = Record<Limit, DraftLimit>;
const NO_LIMIT: DraftLimit = { isOn: false, figure: null };

/** The requirements of a rule while it is edited. */
export type RuleValues = Pick<DraftRule, RuleField>;

/** The fields of a saved rule, of which the numbers may be null. */
function toDraftShape<Shape extends Record<string, z.ZodMiniType>>(shape: Shape) {
  const figures = Object.entries(shape).filter(([field]) => isFigureField(field));
  return { ...shape, ...Object.fromEntries(figures.map(([field, type]) => [field, toDraftFigure(type)])) };
}

const draftHours = z.object({ ...ruleHours.shape, days: z.array(weekday) });

const draftExtraRule: z.ZodMiniType<DraftExtraRule> = z.object({
  ...toDraftShape(extraRule.shape),
  hours: z.nullable(draftHours),
});

const draftRule: z.ZodMiniType<DraftRule> = z.object({
  ...toDraftShape(warehouseFilter.shape),
  extraRules: z._default(z.array(draftExtraRule), []),
});

export function isFigureField(field: string): field is FigureField {
  return field in FIGURE_UNITS;
}

/** Keeps what the field's default is, for drafts that were stored without it. */
function toDraftFigure(shape: z.ZodMiniType) {
  const { data: missing } = z.safeParse(nullableFigure, z.safeParse(shape, undefined).data);
  return missing === undefined ? nullableFigure : z._default(nullableFigure, missing);
}

const toDraftLimits = (saved: Limits): DraftLimits =>
  mapLimits((limit) => ({ isOn: saved[limit] !== null, figure: saved[limit] }));

/** Filters while they are edited. */
export const draftSchema = z.object({
  general: z.object({ isOn: z.boolean(), cents: nullableFigure }),
  schedule: weekSchedule,
  warehouses: z.array(draftRule),
  limits: z._default(z.object(mapLimits(() => z._default(draftLimit, NO_LIMIT))), toDraftLimits(NO_LIMITS)),
  dates: z._default(z.array(dateException), []),
});
export type Draft = z.infer<typeof draftSchema>;

/** The same of each limit. */
export function mapLimits<Value>(valueOf: (limit: Limit) => Value): Record<Limit, Value> {
  return {
    blocksPerDay: valueOf("blocksPerDay"),
    minutesPerDay: valueOf("minutesPerDay"),
    minutesPerWeek: valueOf("minutesPerWeek"),
    restMinutes: valueOf("restMinutes"),
    travelMinutes: valueOf("travelMinutes"),
    weekGoalCents: valueOf("weekGoalCents"),
  };
}

/** The default rule for a warehouse that has none yet. */
export function newRule(id: WarehouseId): DraftRule {
  return { warehouseId: id, selected: false, ...INITIAL_RULE, extraRules: [] };
}

/** The saved filters as a draft, with a rule for every warehouse that the driver can select. */
export function toDraft(saved: Filters, known: readonly WarehouseId[]): Draft {
  const isOn = saved.minHourlyCents !== null;
  const general = { isOn, cents: saved.minHourlyCents ?? INITIAL_RULE.minHourlyCents };
  const { schedule, warehouses, dates } = saved;
  const limits = toDraftLimits(saved.limits);
  return withWarehouseRules({ general, schedule, warehouses, limits, dates }, known);
}

/** Adds default rules for warehouses that have none. Returns the same draft where none is missing. */
export function withWarehouseRules(draft: Draft, known: readonly WarehouseId[]): Draft {
  const existingIds = new Set(draft.warehouses.map((rule) => rule.warehouseId));
  const missing = known.filter((id) => !existingIds.has(id));
  return missing.length === 0
    ? draft
    : { ...draft, warehouses: [...draft.warehouses, ...missing.map(newRule)] };
}

/** The filters as they would be saved, which their shape may reject. */
export function toCandidate({ general, schedule, warehouses, limits, dates }: Draft) {
  return {
    minHourlyCents: general.isOn ? general.cents : null,
    schedule,
    warehouses: toSavedRules(warehouses),
    limits: mapLimits((limit) => (limits[limit].isOn ? limits[limit].figure : null)),
    dates,
  };
}

/** Leaves out the rules that say nothing, where the filters have no room for all. The next draft has them again. */
function toSavedRules(rules: readonly DraftRule[]): readonly DraftRule[] {
  return rules.length > MAX_WAREHOUSES ? rules.filter((rule) => !isInitial(rule)) : rules;
}

function isInitial(rule: DraftRule): boolean {
  const present = Object.entries(rule);
  const initial = Object.fromEntries(Object.entries(newRule(rule.warehouseId)));
  return present.every(([field, value]) => JSON.stringify(value) === JSON.stringify(initial[field]));
}

export function withRule(draft: Draft, rule: DraftRule): Draft {
  const warehouses = draft.warehouses.map((known) => (known.warehouseId === rule.warehouseId ? rule : known));
  return { ...draft, warehouses };
}

export function withLimit(draft: Draft, limit: Limit, value: DraftLimit): Draft {
  return { ...draft, limits: { ...draft.limits, [limit]: value } };
}

/** Selects or deselects several warehouses at once. */
export function withSelected(draft: Draft, ids: readonly WarehouseId[], selected: boolean): Draft {
  const chosen = new Set(ids);
  const warehouses = draft.warehouses.map((rule) =>
    chosen.has(rule.warehouseId) && rule.selected !== selected ? { ...rule, selected } : rule,
  );
  return { ...draft, warehouses };
}

/** Copies a rule to every other selected warehouse. */
export function copyRule(draft: Draft, rule: DraftRule): Draft {
  const warehouses = draft.warehouses.map((known) => {
    if (!known.selected || known.warehouseId === rule.warehouseId) return known;
    return { ...rule, warehouseId: known.warehouseId, selected: true };
  });
  return { ...draft, warehouses };
}

/** Changes one day; 0 is Monday. */
export function withDay(draft: Draft, index: number, day: DaySchedule): Draft {
  return {
    ...draft,
    schedule: mapWeek(draft.schedule, (known, position) => (position === index ? day : known)),
  };
}

/** Copies one day's hours to every other active day. */
export function copyDay(draft: Draft, index: number): Draft {
  const source = draft.schedule[index];
  if (!source) return draft;
  const { start, end } = source;
  return {
    ...draft,
    schedule: mapWeek(draft.schedule, (day) => (day.active ? { ...day, start, end } : day)),
  };
}

/** The week with each day changed; 0 is Monday. */
export function mapWeek(
  [mo, tu, we, th, fr, sa, su]: Draft["schedule"],
  change: (day: DaySchedule, index: number) => DaySchedule,
): Draft["schedule"] {
  return [
    change(mo, 0),
    change(tu, 1),
    change(we, 2),
    change(th, 3),
    change(fr, 4),
    change(sa, 5),
    change(su, 6),
  ];
}

/** Selects or deselects one of the ten lengths, in minutes. */
export function withDuration<Rule extends Pick<DraftRule, "durations">>(
  rule: Rule,
  minutes: number,
  isSelected: boolean,
): Rule {
  const others = durationsToMinutes(rule.durations).filter((length) => length !== minutes);
  return { ...rule, durations: minutesToDurations(isSelected ? [...others, minutes] : others) };
}

/** The selected lengths in minutes. `isRange`: no length between the first and the last is missing. */
export function selectedDurations(rule: Pick<DraftRule, "durations">): {
  minutes: number[];
  isRange: boolean;
} {
  const minutes = durationsToMinutes(rule.durations);
  const [first = 0, last = 0] = [minutes[0], minutes.at(-1)];
  const between = DURATION_MINUTES.filter((length) => first <= length && length <= last);
  return { minutes, isRange: minutes.length > 1 && between.length === minutes.length };
}
