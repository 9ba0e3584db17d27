import { hashKey, type QueryClient } from "@tanstack/react-query";
import { applyFilterChange } from "../../../db/shapes/work/apply-filter-change.ts";
import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import type { Filters } from "../../../db/shapes/work/filters.ts";
import type { FiltersResponse } from "../../../worker/contract/work/filters.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { filtersQuery, putFilters } from "../../api/queries/filters.ts";

/** A change that was made with one tap, and the filters before it. */
export type SavedChange = { change: FilterChange; previous: Filters; version: number };

/** Makes a change to what is saved, so it also holds for filters that were saved elsewhere in the meantime. */
export async function saveFilterChange(
  queryClient: QueryClient,
  change: FilterChange,
): Promise<{ answer: FiltersResponse; made: SavedChange }> {
  const put = async ({ filters, version }: FiltersResponse) => {
    const answer = await putFilters(applyFilterChange(filters, change), version);
    return { answer, made: { change, previous: filters, version: answer.version } };
  };
  try {
    return await put(await queryClient.ensureQueryData(filtersQuery));
  } catch (error) {
    if (errorCodeOf(error) !== "stale_version") throw error;
    return put(await queryClient.fetchQuery({ ...filtersQuery, staleTime: 0 }));
  }
}

/**
 * Puts back the filters before a change, over the version that it made. An earlier try may have done so, whose answer was
 * lost.
 */
export async function undoFilterChange(
  queryClient: QueryClient,
  { previous, version }: SavedChange,
): Promise<FiltersResponse> {
  try {
    return await putFilters(previous, version);
  } catch (error) {
    if (errorCodeOf(error) !== "stale_version") throw error;
    const newer = await queryClient.fetchQuery({ ...filtersQuery, staleTime: 0 }).catch(() => null);
    if (newer && hashKey([newer.filters]) === hashKey([previous])) return newer;
    throw error;
  }
}
