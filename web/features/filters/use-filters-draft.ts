import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { useMemo } from "react";
import { toast } from "sonner";
import type { FiltersAnswer } from "../../../worker/contract/filters.ts";
import type { Warehouse } from "../../../durable/engine/types.ts";
import type { WarehouseId } from "../../../durable/engine/units.ts";
import { codeOf } from "../../api/problem.ts";
import { filtersQuery, putFilters, userQuery } from "../../api/queries.ts";
import { m } from "../../messages/messages.js";
import { sayProblem } from "../language/problem-words.ts";
import { findFaults, toDraft, toFilters, withKnown, type Draft } from "./draft.ts";
import { draftStore, keepDraft } from "./draft-store.ts";
import { findDifferences } from "./merge.ts";

/** The filters as the driver sees them: what was saved, with their own changes over it. */
export function useFiltersDraft(saved: FiltersAnswer, warehouses: readonly Warehouse[]) {
  const kept = useSelector(draftStore);
  const known = useMemo(() => warehouses.map((warehouse) => warehouse.warehouseId), [warehouses]);
  const original = useMemo(() => toDraft(saved.filters, known), [saved.filters, known]);
  const draft = useMemo(() => (kept ? withKnown(kept.draft, known) : original), [kept, known, original]);
  const change = (next: Draft) => {
    const { version, base } = kept ?? { version: saved.version, base: saved.filters };
    keepDraft(isSameDraft(next, toDraft(base, known)) ? null : { version, base, draft: next });
  };
  const faults = useMemo(() => findFaults(draft), [draft]);
  return { draft, change, faults, isChanged: kept !== null };
}

function isSameDraft(one: Draft, other: Draft): boolean {
  return findDifferences({ base: other, mine: one, theirs: other }).length === 0;
}

/** What was saved elsewhere since the draft began, beside what both grew from. */
export type Conflict = { base: Draft; mine: Draft; theirs: Draft };

/** Saves the draft over the version that it started from. Where somebody saved since, both stand side by side. */
export function useSaveFilters({ onSaved }: { onSaved?: () => void } = {}) {
  const queryClient = useQueryClient();
  const latest = useQuery(filtersQuery).data;
  const kept = useSelector(draftStore);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async () => {
      const started = draftStore.get();
      const filters = started && toFilters(started.draft);
      if (!filters) return null;
      try {
        return { started, answer: await putFilters(filters, started.version) };
      } catch (failure) {
        // What the other side saved is shown beside this: it is asked for before anything is said.
        if (codeOf(failure) === "stale_version")
          await queryClient.fetchQuery({ ...filtersQuery, staleTime: 0 });
        throw failure;
      }
    },
    onSuccess: (saved) => {
      if (!saved) return;
      // What was typed while it was being saved goes on as a draft over it.
      const { started, answer } = saved;
      const present = draftStore.get();
      keepDraft(
        present === null || present.draft === started.draft
          ? null
          : { version: answer.version, base: answer.filters, draft: present.draft },
      );
      queryClient.setQueryData(filtersQuery.queryKey, answer);
      void queryClient.invalidateQueries({ queryKey: userQuery.queryKey });
      toast(m.save_saved());
      onSaved?.();
    },
    onError: (failure) => {
      if (codeOf(failure) !== "stale_version") toast.error(sayProblem(failure));
    },
  });
  const isStale = error !== null && codeOf(error) === "stale_version";
  const conflict = useMemo(
    () => (isStale && kept && latest ? sideBySide(kept, latest) : null),
    [isStale, kept, latest],
  );
  return {
    save: () => mutate(),
    conflict,
    /** Saves what was put together of both; where nothing of one's own is left, there is nothing to save. */
    saveMerged: (draft: Draft) => {
      if (!latest || !conflict) return;
      const { version, filters: base } = latest;
      reset();
      if (isSameDraft(draft, conflict.theirs)) return keepDraft(null);
      keepDraft({ version, base, draft });
      mutate();
    },
    /** Nothing is decided; the next save asks again. */
    decideLater: reset,
    isSaving: isPending,
    /** Why it could not be saved, where it is no conflict. */
    failure: isStale ? null : error,
  };
}

/** All three with a rule for each warehouse that any of them knows. */
function sideBySide(kept: { base: FiltersAnswer["filters"]; draft: Draft }, latest: FiltersAnswer): Conflict {
  const ids: WarehouseId[] = [...kept.draft.warehouses, ...latest.filters.warehouses].map(
    (rule) => rule.warehouseId,
  );
  return {
    base: toDraft(kept.base, ids),
    mine: withKnown(kept.draft, ids),
    theirs: toDraft(latest.filters, ids),
  };
}
