import {
  useIsMutating,
  useMutation,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useMemo } from "react";
import { toast } from "../../ui/toast.ts";
import { useNow } from "../../ui/use-now.ts";
import { applyFilterChange } from "../../../db/shapes/work/apply-filter-change.ts";
import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import type { FiltersResponse } from "../../../worker/contract/work/filters.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { withoutPastDates } from "../../../db/shapes/work/past-dates.ts";
import { HOUR_MS, type EpochMs, type WarehouseId } from "../../../db/shapes/units.ts";
import { errorCodeOf, RequestError } from "../../api/client/request-error.ts";
import { filtersQuery, putFilters, warehousesQuery } from "../../api/queries/filters.ts";
import { m } from "../../messages/messages.js";
import { cacheFilters } from "../offers/cache-filters.ts";
import { toDraft, withWarehouseRules, type Draft } from "./draft.ts";
import { findIssues, findRefusals, draftToFilters, type FilterIssues } from "./draft-issues.ts";
import { draftStore, saveDraft, type StoredDraft } from "./draft-store.ts";
import { findDifferences } from "./merge.ts";
import { serverNow } from "../../early/server-clock.ts";

const NO_WAREHOUSES: readonly Warehouse[] = [];
const NO_ISSUES: FilterIssues = {};
const SAVING = ["save-filters"] as const;

/**
 * The filters with the driver's unsaved changes applied. Warehouses without a rule get a default one once they are
 * loaded; the rest can be edited without them.
 */
export function useFiltersDraft() {
  const queryClient = useQueryClient();
  const saved = useSuspenseQuery(filtersQuery).data;
  const warehouses = useQuery(warehousesQuery).data?.warehouses ?? NO_WAREHOUSES;
  const stored = useSelector(draftStore);
  const warehouseIds = useMemo(() => warehouses.map((warehouse) => warehouse.warehouseId), [warehouses]);
  const original = useMemo(() => toDraft(saved.filters, warehouseIds), [saved.filters, warehouseIds]);
  const draft = useMemo(
    () => (stored ? withWarehouseRules(stored.draft, warehouseIds) : original),
    [stored, warehouseIds, original],
  );
  const changeFrom = (present: StoredDraft | null, next: Draft) => {
    const version = present?.version ?? saved.version;
    const base = version === saved.version ? saved.filters : (present?.base ?? null);
    // The server may have stored by now what is being saved: taken back, it is a change again.
    const isSaving = queryClient.isMutating({ mutationKey: SAVING }) > 0;
    const isUndone = !isSaving && base !== null && isSameDraft(next, toDraft(base, warehouseIds));
    saveDraft(isUndone ? null : { version, base, draft: next });
  };
  const change = (next: Draft) => changeFrom(stored, next);
  /** Makes a change in the draft, beside what was changed before. A draft that can't be read as filters stays as it is. */
  const propose = (proposed: FilterChange) => {
    // An earlier draft may have been restored a moment ago, which no render has seen yet.
    const present = draftStore.get();
    const filters = draftToFilters(present ? withWarehouseRules(present.draft, warehouseIds) : original);
    if (filters) changeFrom(present, toDraft(applyFilterChange(filters, proposed), warehouseIds));
  };
  const issues = useMemo(() => findIssues(draft), [draft]);
  return { draft, change, propose, issues, isChanged: stored !== null };
}

function isSameDraft(one: Draft, other: Draft): boolean {
  return findDifferences({ base: other, mine: one, theirs: other }).length === 0;
}

/** Whether nothing of a draft is left to save, which trims the names of rules. */
function isSaved(draft: Draft, { filters }: FiltersResponse): boolean {
  const ids = [...draft.warehouses, ...filters.warehouses].map((rule) => rule.warehouseId);
  const sent = draftToFilters(draft);
  const mine = sent ? toDraft(sent, ids) : withWarehouseRules(draft, ids);
  return isSameDraft(mine, toDraft(filters, ids));
}

/** The version saved elsewhere since the draft began, beside the base of both, where that is known. */
export type Conflict = { base: Draft | null; mine: Draft; theirs: Draft };

/** Saves the draft if nobody saved since it began; otherwise returns the conflict to resolve. */
export function useSaveFilters({ onSaved }: { onSaved?: () => void } = {}) {
  const queryClient = useQueryClient();
  const latest = useSuspenseQuery(filtersQuery).data;
  const stored = useSelector(draftStore);
  // The short filters and the screen save the same draft.
  const isSaving = useIsMutating({ mutationKey: SAVING }) > 0;
  const saving = useMutation({
    mutationKey: SAVING,
    mutationFn: async (submitted: StoredDraft | null) => {
      const filters = submitted && draftToFilters(submitted.draft);
      if (!filters) return null;
      try {
        return { started: submitted, answer: await putFilters(filters, submitted.version) };
      } catch (failure) {
        if (errorCodeOf(failure) !== "stale_version") throw failure;
        // The merge needs the newer version, so fetch it before reporting the conflict.
        const newer = await queryClient.fetchQuery({ ...filtersQuery, staleTime: 0 });
        // Saved by an earlier try, whose answer was lost, or by another device: there is nothing to decide.
        if (isSaved(withoutPastDates(submitted.draft, serverNow()), newer))
          return { started: submitted, answer: newer };
        throw failure;
      }
    },
    onSuccess: (saved) => {
      if (!saved) return;
      // Changes made during the save become a draft on top of it.
      const { started: submitted, answer } = saved;
      const current = draftStore.get();
      saveDraft(
        current === null || current.draft === submitted.draft || isSaved(current.draft, answer)
          ? null
          : { version: answer.version, base: answer.filters, draft: current.draft },
      );
      cacheFilters(queryClient, answer);
      toast(m.save_saved());
    },
  });
  const { variables, error, reset } = saving;
  // Only from where it was saved: a driver who left by then is somewhere else.
  const save = () => saving.mutate(draftStore.get(), { onSuccess: (saved) => saved && onSaved?.() });
  // With the changes goes why they weren't saved.
  useEffect(() => {
    if (stored === null && !isSaving) reset();
  }, [stored, isSaving, reset]);
  const isStale = error !== null && errorCodeOf(error) === "stale_version";
  const now = useNow(HOUR_MS);
  const conflict = useMemo(
    () => (isStale && stored ? toConflict(stored, latest, now) : null),
    [isStale, stored, latest, now],
  );
  return {
    save,
    discard: () => saveDraft(null),
    conflict,
    /** Saves the merged draft. If nothing of mine is left in it, there is nothing to save. */
    saveMerged: (draft: Draft) => {
      if (!conflict) return;
      const { version, filters: base } = latest;
      reset();
      if (isSameDraft(draft, conflict.theirs)) return saveDraft(null);
      saveDraft({ version, base, draft });
      save();
    },
    /** Decides nothing: the next save runs into the same conflict. */
    dismissConflict: reset,
    isSaving,
    /** Why saving failed, other than by a conflict. */
    failure: isStale ? null : error,
    /** The fields that the server refused, until the draft is changed. */
    refused: useMemo(
      () =>
        error instanceof RequestError && variables && variables === stored
          ? findRefusals(variables.draft, error.fields)
          : NO_ISSUES,
      [error, variables, stored],
    ),
  };
}

/** All three with a rule for every warehouse in any of them. */
function toConflict(
  stored: Pick<StoredDraft, "base" | "draft">,
  latest: FiltersResponse,
  now: EpochMs,
): Conflict {
  // Dates that are over go with a save: nobody decides about them.
  const [mine, theirs] = [withoutPastDates(stored.draft, now), withoutPastDates(latest.filters, now)];
  const base = stored.base && withoutPastDates(stored.base, now);
  const ids: WarehouseId[] = [...stored.draft.warehouses, ...latest.filters.warehouses].map(
    (rule) => rule.warehouseId,
  );
  return {
    base: base && toDraft(base, ids),
    mine: withWarehouseRules(mine, ids),
    theirs: toDraft(theirs, ids),
  };
}
