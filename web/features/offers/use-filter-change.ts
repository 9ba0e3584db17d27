import { hashKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { createStore, useSelector } from "@tanstack/react-store";
import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import { filtersQuery } from "../../api/queries/filters.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { sessionStore } from "../../api/session/session.ts";
import { cacheFilters } from "./cache-filters.ts";
import { saveFilterChange, undoFilterChange, type SavedChange } from "./save-filter-change.ts";

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
