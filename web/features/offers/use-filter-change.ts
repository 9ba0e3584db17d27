import { hashKey, useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { createStore, useSelector } from "@tanstack/react-store";
import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import { filtersQuery, putFilters } from "../../api/queries/filters.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { sessionStore } from "../../api/session/session.ts";
import { cacheFilters } from "./cache-filters.ts";
import { applyFilterChange } from "../../../db/shapes/work/apply-filter-change.ts";
import type { Filters } from "../../../db/shapes/work/filters.ts";
import type { FiltersResponse } from "../../../worker/contract/work/filters.ts";

/** A change that was made with one tap, and the filters before it. */
type SavedChange = { change: FilterChange; previous: Filters; version: number };

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
async function undoFilterChange(
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

/**
 * The latest change that was made with one tap; null once it was undone. As long as the page lives: a later visit changes
 * the filters on their own screen.
 */
const madeStore = createStore<SavedChange | null>(null);
sessionStore.subscribe((session) => {
  if (!session) madeStore.setState(() => null);
});

/** Changes the saved filters with one tap, and back. */
export function useFilterChange() {
  const queryClient = useQueryClient();
  const made = useSelector(madeStore);
  const make = useMutation({
    mutationFn: async (change: FilterChange) => saveFilterChange(queryClient, change),
    onSuccess: ({ answer, made: done }) => {
      cacheFilters(queryClient, answer);
      undo.reset();
      madeStore.setState(() => done);
    },
  });
  const undo = useMutation({
    mutationFn: async (change: SavedChange) => undoFilterChange(queryClient, change),
    onSuccess: (answer) => {
      cacheFilters(queryClient, answer);
      madeStore.setState(() => null);
    },
    onError: (error) => {
      if (errorCodeOf(error) !== "stale_version") return;
      madeStore.setState(() => null);
      void queryClient.invalidateQueries({ queryKey: filtersQuery.queryKey });
    },
  });
  return {
    make: make.mutate,
    /** Whether this is the change in progress. Parts of a screen make theirs anew when they are drawn. */
    isMaking: (change: FilterChange) => make.isPending && hashKey([make.variables]) === hashKey([change]),
    undo: () => {
      if (!made) return;
      // Why an earlier change failed says nothing of this one.
      make.reset();
      undo.mutate(made);
    },
    made,
    isPending: make.isPending || undo.isPending,
    isUndone: undo.isSuccess,
    /** The filters were saved elsewhere since the change, which the undo would have overwritten. */
    isUndoStale: undo.error !== null && errorCodeOf(undo.error) === "stale_version",
    error: make.error ?? undo.error,
  };
}
