import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { useMemo } from "react";
import { toast } from "sonner";
import type { FiltersAnswer } from "../../../worker/contract/filters.ts";
import type { Warehouse } from "../../../durable/engine/types.ts";
import { codeOf } from "../../api/problem.ts";
import { filtersQuery, putFilters, userQuery } from "../../api/queries.ts";
import { m } from "../../messages/messages.js";
import { sayProblem } from "../language/problem-words.ts";
import { findFaults, isSameDraft, toDraft, toFilters, type Draft } from "./draft.ts";
import { draftStore, keepDraft } from "./draft-store.ts";

/** The filters as the driver sees them: what was saved, with their own changes over it. */
export function useFiltersDraft(saved: FiltersAnswer, warehouses: readonly Warehouse[]) {
  const kept = useSelector(draftStore);
  const original = useMemo(
    () =>
      toDraft(
        saved.filters,
        warehouses.map((warehouse) => warehouse.warehouseId),
      ),
    [saved.filters, warehouses],
  );
  const draft = kept?.draft ?? original;
  const change = (next: Draft) => {
    keepDraft(isSameDraft(next, original) ? null : { version: kept?.version ?? saved.version, draft: next });
  };
  const faults = useMemo(() => findFaults(draft), [draft]);
  return { draft, change, faults, isChanged: kept !== null };
}

/** Saves the draft over the version that it started from, or over a newer one where the driver says so. */
export function useSaveFilters() {
  const queryClient = useQueryClient();
  const latest = useQuery(filtersQuery);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async (version: number) => {
      const kept = draftStore.get();
      const filters = kept && toFilters(kept.draft);
      return filters ? putFilters(filters, version) : null;
    },
    onSuccess: (answer) => {
      if (!answer) return;
      keepDraft(null);
      queryClient.setQueryData(filtersQuery.queryKey, answer);
      void queryClient.invalidateQueries({ queryKey: userQuery.queryKey });
      toast(m.save_saved());
    },
    onError: (failure) => {
      if (codeOf(failure) === "stale_version") void latest.refetch();
      else toast.error(sayProblem(failure));
    },
  });
  return {
    save: () => mutate(draftStore.get()?.version ?? 0),
    saveOver: () => mutate(latest.data?.version ?? 0),
    takeTheirs: () => {
      keepDraft(null);
      reset();
    },
    /** Nothing is decided; the next save asks again. */
    decideLater: reset,
    isSaving: isPending,
    isStale: error !== null && codeOf(error) === "stale_version",
  };
}
