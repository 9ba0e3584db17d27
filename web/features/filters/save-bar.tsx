import { m } from "../../messages/messages.js";
import type { Draft, FilterIssues } from "./draft.ts";
import { useLeadOn } from "../start/use-lead-on.ts";
import { MergeSheet } from "./merge-sheet.tsx";
import { SaveButtons } from "./save-buttons.tsx";
import { useSaveFilters } from "./use-filters-draft.ts";

/** Saves or discards unsaved changes, at the bottom of the screen. */
export function SaveBar({ draft, issues }: { draft: Draft; issues: FilterIssues }) {
  const { save, conflict, saveMerged, dismissConflict, isSaving } = useSaveFilters({ onSaved: useLeadOn() });
  const isInvalid = Object.keys(issues).length > 0;
  const hasNone = !draft.warehouses.some((rule) => rule.selected);
  const message = isInvalid ? m.save_faults() : hasNone ? m.save_none_selected() : m.save_kept();
  return (
    <>
      <section
        aria-label={m.save_changed()}
        data-testid="save-bar"
        className="asphalt sticky bottom-20 z-10 flex animate-[rise_160ms_ease-out] flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line p-3 pl-5 shadow-lg lg:bottom-4"
      >
        <output className="block min-w-48 flex-1 text-sm">
          <span className="block text-base font-semibold">{m.save_changed()}</span>
          <span className={isInvalid || hasNone ? "text-warn" : "text-soft"}>{message}</span>
        </output>
        <div className="flex flex-1 justify-end gap-2 sm:flex-none">
          <SaveButtons isInvalid={isInvalid || hasNone} isSaving={isSaving} onSave={save} />
        </div>
      </section>
      <MergeSheet conflict={conflict} onMerge={saveMerged} onLater={dismissConflict} />
    </>
  );
}
