import * as z from "zod/mini";
import {
  FIGURE_UNITS,
  filters as filtersShape,
  LIMITS,
  type Filters,
  type Limit,
} from "../../../db/shapes/work/filters.ts";
import { isFigureField, toCandidate, type Draft } from "./draft.ts";

/** That of a limit is its name: its figure is none that it can be. */
export type FilterIssue =
  | Limit
  | "required"
  | "min_price_too_small"
  | "money_too_large"
  | "buffer_too_large"
  | "buffer_invalid"
  | "no_durations"
  | "no_days"
  | "too_many_dates"
  | "refused";

/**
 * Issues by field: `general`, `<warehouseId>.<field>` of a first rule, `<warehouseId>.<ruleId>.<field>` of a further one,
 * `limits.<limit>`, `dates` where there are too many.
 */
export type FilterIssues = Readonly<Record<string, FilterIssue>>;

/** The props of each part of the form: the draft with its issues, and the target of a field's changes. */
export type DraftEditing = {
  draft: Draft;
  onChange: (next: Draft) => void;
  issues: FilterIssues;
  currency: string;
};

/** The filters to save; null where the draft has issues. */
export function draftToFilters(draft: Draft): Filters | null {
  const parsed = z.safeParse(filtersShape, toCandidate(draft));
  return parsed.success && Object.keys(findIssues(draft)).length === 0 ? parsed.data : null;
}

/** Everything that keeps a draft from being saved: what the filters' schema rejects, and what it can't express. */
export function findIssues(draft: Draft): FilterIssues {
  const issues: Record<string, FilterIssue> = {};
  const candidate = toCandidate(draft);
  const parsed = z.safeParse(filtersShape, candidate);
  for (const { path, code } of parsed.error?.issues ?? []) {
    const place = placeOf(candidate, path.map(String));
    if (place) issues[place.key] ??= toIssue(place, code);
  }
  if (draft.general.isOn && draft.general.cents === null) issues["general"] = "required";
  for (const limit of LIMITS) {
    const { isOn, figure } = draft.limits[limit];
    if (isOn && figure === null) issues[`limits.${limit}`] = limit;
  }
  for (const { warehouseId: id, selected, durations: chosen, extraRules } of draft.warehouses) {
    if (!selected) continue;
    if (!chosen.some(Boolean)) issues[`${id}.durations`] = "no_durations";
    for (const { ruleId, durations } of extraRules) {
      if (!durations.some(Boolean)) issues[`${id}.${ruleId}.durations`] = "no_durations";
    }
  }
  return issues;
}

/** The fields that the API refused, by its paths: `minHourlyCents`, `warehouses.0.minPriceCents`. */
export function findRefusals(draft: Draft, fields: Readonly<Record<string, unknown>>): FilterIssues {
  const candidate = toCandidate(draft);
  const places = Object.keys(fields).map((path) => placeOf(candidate, path.split(".")));
  return Object.fromEntries(places.flatMap((place) => (place ? [[place.key, "refused"]] : [])));
}

/** The paths are those of what is saved, which may leave out rules of the draft. */
type Candidate = ReturnType<typeof toCandidate>;

type Place = { key: string; list: string; field: string };

/** Finds the field of a path of the filters' shape; null where the form has none. */
function placeOf({ warehouses }: Candidate, [list = "", index, field = "", ...rest]: string[]): Place | null {
  if (list === "minHourlyCents") return { key: "general", list, field: list };
  if (list === "dates" && index === undefined) return { key: list, list, field: list };
  if (list === "limits" && index) return { key: `limits.${index}`, list, field: index };
  const rule = list === "warehouses" ? warehouses[Number(index)] : undefined;
  if (!rule) return null;
  const { warehouseId: id } = rule;
  if (field !== "extraRules") return { key: `${id}.${field}`, list, field };
  const [position, extraField = ""] = rest;
  const extra = rule.extraRules[Number(position)];
  return extra ? { key: `${id}.${extra.ruleId}.${extraField}`, list, field: extraField } : null;
}

function toIssue({ list, field }: Place, code: string): FilterIssue {
  if (list === "dates") return "too_many_dates";
  const limit = list === "limits" ? LIMITS.find((known) => known === field) : undefined;
  if (limit) return limit;
  if (field === "hours") return "no_days";
  const isMinutes = isFigureField(field) && FIGURE_UNITS[field] === "minutes";
  if (code === "too_big") return isMinutes ? "buffer_too_large" : "money_too_large";
  if (code === "too_small" && field === "minPriceCents") return "min_price_too_small";
  return isMinutes ? "buffer_invalid" : "required";
}
