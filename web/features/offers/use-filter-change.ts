import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createStore, useSelector } from "@tanstack/react-store";
import { applyFilterChange } from "../../../db/shapes/work/apply-filter-change.ts";
import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import type { Filters } from "../../../db/shapes/work/filters.ts";
import type { FiltersResponse } from "../../../worker/contract/work/filters.ts";
import { cacheResponse } from "../../api/client/query-client.ts";
import { filtersQuery, putFilters } from "../../api/queries/filters.ts";
import { passedOverQuery } from "../../api/queries/blocks.ts";
import { userQuery } from "../../api/queries/user.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { sessionStore } from "../../api/session/session.ts";

/** The latest change that was made with one tap, and the filters before it; null once it was undone. */
type MadeChange = { change: FilterChange; previous: Filters; version: number };

/** As long as the page lives: a later visit changes the filters on their own screen. */
const madeStore = createStore<MadeChange | null>(null);
sessionStore.subscribe((session) => {
  if (!session) madeStore.setState(() => null);
});

/** Changes the saved filters with one tap, and back. */
export function useFilterChange() {
  const queryClient = useQueryClient();
  const made = useSelector(madeStore);
  const show = (answer: FiltersResponse) => {
    cacheResponse(queryClient, filtersQuery, answer);
    void queryClient.invalidateQueries({ queryKey: passedOverQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: userQuery.queryKey });
  };
  const make = useMutation({
    mutationFn: async (change: FilterChange): Promise<{ answer: FiltersResponse; made: MadeChange }> => {
      const put = async ({ filters, version }: FiltersResponse) => {
        const answer = await putFilters(applyFilterChange(filters, change), version);
        return { answer, made: { change, previous: filters, version: answer.version } };
      };
      try {
        return await put(await queryClient.ensureQueryData(filtersQuery));
      } catch (error) {
        if (errorCodeOf(error) !== "stale_version") throw error;
        // The change is made to what is saved, so it holds for filters that were saved elsewhere in the meantime.
        return put(await queryClient.fetchQuery({ ...filtersQuery, staleTime: 0 }));
      }
    },
    onSuccess: ({ answer, made: done }) => {
      show(answer);
      undo.reset();
      madeStore.setState(() => done);
    },
  });
  const undo = useMutation({
    mutationFn: async ({ previous, version }: MadeChange) => putFilters(previous, version),
    onSuccess: (answer) => {
      show(answer);
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
    /** The change in progress. */
    making: make.isPending ? make.variables : null,
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
