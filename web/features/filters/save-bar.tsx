import { useId, useLayoutEffect, useState } from "react";
import type { ReplayDays } from "../../../db/shapes/work/replay.ts";
import { m } from "../../messages/messages.js";
import { EDGE_BAR_CLASS, useStaysInView } from "../../ui/edge-bar.ts";
import { focusHeading } from "../../ui/focus-heading.ts";
import { toast } from "../../ui/toast.ts";
import { errorMessage } from "../language/error-messages.ts";
import type { Draft } from "./draft.ts";
import type { FilterIssues } from "./draft-issues.ts";
import { draftStore, saveDraft } from "./draft-store.ts";
import { MergeSheet } from "./merge-sheet.tsx";
import { ReplayLine, ReplaySheet } from "./replay/replay-line.tsx";
import { SaveButtons } from "./save-buttons.tsx";
import type { useSaveFilters } from "./use-filters-draft.ts";

const TIME_TO_RESTORE_MS = 10_000;

/**
 * Saves or discards unsaved changes, at the bottom of the screen. On a phone it is low enough to stay in view: a change that
 * is out of sight of its bar looks saved. Why a save failed stays there until the next one.
 */
export function SaveBar({
  draft,
  issues,
  saving: { save, discard, conflict, saveMerged, dismissConflict, isSaving, failure },
}: {
  draft: Draft;
  issues: FilterIssues;
  saving: ReturnType<typeof useSaveFilters>;
}) {
  const { ref, staysInView } = useStaysInView();
  const id = useId();
  // Once nothing is left to save, the bar would take the keyboard's focus with it.
  useLayoutEffect(
    () => () => {
      if (document.getElementById(id)?.contains(document.activeElement)) focusHeading();
    },
    [id],
  );
  const [isReplayOpen, setReplayOpen] = useState(false);
  const [days, setDays] = useState<ReplayDays>(7);
  // One tap may take back many changes, so one brings them back.
  const undo = () => {
    const undone = draftStore.get();
    discard();
    toast(m.save_undone(), {
      duration: TIME_TO_RESTORE_MS,
      action: { label: m.save_restore(), onClick: () => saveDraft(undone) },
    });
  };
  const isInvalid = Object.keys(issues).length > 0;
  const hasNone = !draft.warehouses.some((rule) => rule.selected);
  const isStopped = isInvalid || hasNone;
  const hasFailed = failure !== null && !isSaving;
  return (
    <>
      <section
        ref={ref}
        id={id}
        aria-label={m.save_changed()}
        data-testid="save-bar"
        className={`asphalt z-10 flex animate-[rise_160ms_ease-out] flex-wrap items-center gap-x-4 gap-y-2 rounded-card border p-3 pl-5 shadow-lg ${staysInView ? `save-bar lg:sticky lg:bottom-4 ${EDGE_BAR_CLASS}` : ""} ${hasFailed ? "border-bad" : "border-line"}`}
      >
        <div
          className={`${hasFailed ? "max-sm:basis-full" : ""} min-w-[min(100%,5.5rem)] flex-1 text-sm sm:min-w-[min(100%,12rem)]`}
        >
          <p className={`${hasFailed ? "max-sm:hidden" : ""} text-base font-semibold`}>{m.save_changed()}</p>
          {hasFailed && (
            <p role="alert" className="font-semibold text-bad">
              {m.save_failed({ reason: errorMessage(failure) })}
            </p>
          )}
          {!hasFailed && (
            <output className={`block ${isStopped ? "text-warn" : "text-soft max-sm:sr-only"}`}>
              {stateMessage({ isInvalid, hasNone })}
            </output>
          )}
        </div>
        {!isStopped && !hasFailed && (
          <div className="order-first basis-full">
            <ReplayLine draft={draft} days={days} onOpen={() => setReplayOpen(true)} />
          </div>
        )}
        <div className="ml-auto flex max-w-full flex-wrap justify-end gap-2">
          <SaveButtons
            isInvalid={isStopped}
            isSaving={isSaving}
            hasFailed={hasFailed}
            onSave={save}
            onDiscard={undo}
          />
        </div>
      </section>
      <ReplaySheet
        open={isReplayOpen}
        onClose={() => setReplayOpen(false)}
        onDiscard={undo}
        {...{ draft, days, onDays: setDays, isSaving }}
      />
      <MergeSheet conflict={conflict} onMerge={saveMerged} onLater={dismissConflict} />
    </>
  );
}

function stateMessage({ isInvalid, hasNone }: { isInvalid: boolean; hasNone: boolean }): string {
  if (isInvalid) return m.save_faults();
  return hasNone ? m.save_none_selected() : m.save_kept();
}
