import * as z from "zod/mini";
import {
  DURATION_MINUTES,
  durationsToMinutes,
  minutesToDurations,
} from "../../../db/shapes/work/durations.ts";
import {
  FIGURE_UNITS,
  FILTER_FIELDS,
  filters as filtersShape,
  INITIAL_RULE,
  warehouseFilter,
  weekSchedule,
  type DaySchedule,
  type FigureField,
  type Filters,
  type RuleField,
  type WarehouseFilter,
} from "../../../db/shapes/work/filters.ts";
import type { WarehouseId } from "../../../db/shapes/units.ts";

/** A number field's value: null while it can't be parsed. */
const nullableFigure = z.nullable(z.int());

/** A warehouse's filter while it is edited. */
export type DraftRule = {
  [Field in keyof WarehouseFilter]: Field extends FigureField ? number | null : WarehouseFilter[Field];
};

/** The requirements of a rule while it is edited. */
export type RuleValues = Pick<DraftRule, RuleField>;

/** The fields of a saved filter, of which the numbers may be null. */
const draftRule: z.ZodMiniType<DraftRule> = z.object({
  ...warehouseFilter.shape,
  ...Object.fromEntries(
    FILTER_FIELDS.filter(isFigureField).map((field) => [field, toDraftFigure(warehouseFilter.shape[field])]),
  ),
});

export function isFigureField(field: string): field is FigureField {
  return field in FIGURE_UNITS;
}

/** Keeps what the field's default is, for drafts that were stored without it. */
function toDraftFigure(shape: z.ZodMiniType) {
  const { data: missing } = z.safeParse(nullableFigure, z.safeParse(shape, undefined).data);
  return missing === undefined ? nullableFigure : z._default(nullableFigure, missing);
}

/** Filters while they are edited. */
export const draftSchema = z.object({
  general: z.object({ isOn: z.boolean(), cents: nullableFigure }),
  schedule: weekSchedule,
  warehouses: z.array(draftRule),
  limits: filtersShape.shape.limits,
  dates: filtersShape.shape.dates,
});
export type Draft = z.infer<typeof draftSchema>;

export type FilterIssue =
  | "required"
  | "min_price_too_small"
  | "money_too_large"
  | "buffer_too_large"
  | "buffer_invalid"
  | "no_durations"
  | "refused";
/** Issues by field: `general`, or `<warehouseId>.<field>`. */
export type FilterIssues = Readonly<Record<string, FilterIssue>>;

/** The props of each part of the form: the draft with its issues, and the target of a field's changes. */
export type DraftEditing = {
  draft: Draft;
  onChange: (next: Draft) => void;
  issues: FilterIssues;
  currency: string;
};

/** The default rule for a warehouse that has none yet. */
export function newRule(id: WarehouseId): DraftRule {
  return { warehouseId: id, selected: false, ...INITIAL_RULE, extraRules: [] };
}

/** The saved filters as a draft, with a rule for every warehouse that the driver can select. */
export function toDraft(saved: Filters, known: readonly WarehouseId[]): Draft {
  const isOn = saved.minHourlyCents !== null;
  const general = { isOn, cents: saved.minHourlyCents ?? INITIAL_RULE.minHourlyCents };
  const { minHourlyCents: _general, ...rest } = saved;
  return withWarehouseRules({ general, ...rest }, known);
}

/** Adds default rules for warehouses that have none. Returns the same draft where none is missing. */
export function withWarehouseRules(draft: Draft, known: readonly WarehouseId[]): Draft {
  const existingIds = new Set(draft.warehouses.map((rule) => rule.warehouseId));
  const missing = known.filter((id) => !existingIds.has(id));
  return missing.length === 0
    ? draft
    : { ...draft, warehouses: [...draft.warehouses, ...missing.map(newRule)] };
}

/** The filters to save; null where the draft has issues. */
export function draftToFilters(draft: Draft): Filters | null {
  const parsed = z.safeParse(filtersShape, toCandidate(draft));
  return parsed.success && Object.keys(findIssues(draft)).length === 0 ? parsed.data : null;
}

function toCandidate({ general, ...rest }: Draft) {
  return { minHourlyCents: general.isOn ? general.cents : null, ...rest };
}

/** Everything that keeps a draft from being saved: what the filters' schema rejects, and what it can't express. */
export function findIssues(draft: Draft): FilterIssues {
  const issues: Record<string, FilterIssue> = {};
  const parsed = z.safeParse(filtersShape, toCandidate(draft));
  for (const { path, code } of parsed.error?.issues ?? []) {
    const [list, index, field = ""] = path.map(String);
    const rule = draft.warehouses[Number(index)];
    if (list === "minHourlyCents") issues["general"] ??= toIssue("minHourlyCents", code);
    else if (rule) issues[`${rule.warehouseId}.${field}`] ??= toIssue(field, code);
  }
  if (draft.general.isOn && draft.general.cents === null) issues["general"] = "required";
  for (const { warehouseId: id, selected, durations: chosen } of draft.warehouses) {
    if (selected && !chosen.some(Boolean)) issues[`${id}.durations`] = "no_durations";
  }
  return issues;
}

/** The fields that the API refused, by its paths: `minHourlyCents`, `warehouses.0.minPriceCents`. */
export function findRefusals(draft: Draft, fields: Readonly<Record<string, unknown>>): FilterIssues {
  const issues: Record<string, FilterIssue> = {};
  for (const path of Object.keys(fields)) {
    const [list, index, field = ""] = path.split(".");
    const rule = draft.warehouses[Number(index)];
    if (list === "minHourlyCents") issues["general"] = "refused";
    else if (list === "warehouses" && rule) issues[`${rule.warehouseId}.${field}`] = "refused";
  }
  return issues;
}

function toIssue(field: string, code: string): FilterIssue {
  const isMinutes = isFigureField(field) && FIGURE_UNITS[field] === "minutes";
  if (code === "too_big") return isMinutes ? "buffer_too_large" : "money_too_large";
  if (code === "too_small" && field === "minPriceCents") return "min_price_too_small";
  return isMinutes ? "buffer_invalid" : "required";
}

export function withRule(draft: Draft, rule: DraftRule): Draft {
  const warehouses = draft.warehouses.map((known) => (known.warehouseId === rule.warehouseId ? rule : known));
  return { ...draft, warehouses };
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
