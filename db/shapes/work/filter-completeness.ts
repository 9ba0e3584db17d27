import type { Filters, WarehouseFilter } from "./filters.ts";
import type { WarehouseId } from "../units.ts";

/** The reason that filters let no offer through, by the field that would have to change. */
export type FilterGaps = Readonly<Record<string, "none_selected" | "invalid">>;

/** The part of the filters that decides whether any offer can fit. */
type FilterChoices = {
  schedule: Filters["schedule"];
  warehouses: readonly Pick<WarehouseFilter, "warehouseId" | "selected" | "durations" | "extraRules">[];
};

/**
 * Why no offer at all can fit the filters: no day is on and no rule has hours of its own, no warehouse is selected, or each
 * selected one is unknown or has a block length in none of its rules. Empty where some offer can, though one of several
 * warehouses may have such a gap.
 * @param known the warehouses that the platform lists; null if that is not known here
 */
export function findFilterGaps(
  { schedule, warehouses }: FilterChoices,
  known: ReadonlySet<WarehouseId> | null,
): FilterGaps {
  const selected = warehouses.flatMap(
    ({ selected: isSelected, warehouseId, durations, extraRules }, index) => {
      if (!isSelected) return [];
      const gaps: [string, FilterGaps[string]][] = [];
      if (known?.has(warehouseId) === false) gaps.push([`warehouses.${index}.warehouseId`, "invalid"]);
      if (![{ durations }, ...extraRules].some((rule) => rule.durations.some(Boolean)))
        gaps.push([`warehouses.${index}.durations`, "none_selected"]);
      return [gaps];
    },
  );
  const hasDays =
    schedule.some(({ active }) => active) ||
    warehouses.some((filter) => filter.selected && filter.extraRules.some(({ hours }) => hours !== null));
  const canTakeNothing = selected.every((gaps) => gaps.length > 0);
  return {
    ...(hasDays ? {} : { schedule: "none_selected" }),
    ...(selected.length === 0 ? { warehouses: "none_selected" } : {}),
    ...(canTakeNothing ? Object.fromEntries(selected.flat()) : {}),
  };
}

/** Whether some offer can fit the filters. */
export function areFiltersComplete(filters: Filters, known: ReadonlySet<WarehouseId> | null): boolean {
  return Object.keys(findFilterGaps(filters, known)).length === 0;
}
