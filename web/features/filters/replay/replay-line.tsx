import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { ChevronUp } from "lucide-react";
import { useState, useEffect, useMemo } from "react";
import type { Mode } from "../../../../db/shapes/work/filters.ts";
import type { ReplayDays } from "../../../../db/shapes/work/replay.ts";
import type { ReplayResponse } from "../../../../worker/contract/work/replay.ts";
import { filtersQuery } from "../../../api/queries/filters.ts";
import { replayQuery } from "../../../api/queries/replay.ts";
import { m } from "../../../messages/messages.js";
import { Sheet } from "../../../ui/sheet.tsx";
import { draftToFilters } from "../draft-issues.ts";
import type { Draft } from "../draft.ts";
import { formatBlocks, PERIOD_LABELS } from "./replay-messages.ts";
import { ReplaySummary } from "./replay-summary.tsx";

/** A draft's effect on the offers of the last days, in one line. */
export function ReplayLine({ draft, days, onOpen }: { draft: Draft; days: ReplayDays; onOpen: () => void }) {
  const { replay, hasFailed, isChecking } = useReplay(draft, days);
  return (
    <button
      type="button"
      data-testid="open-replay"
      aria-haspopup="dialog"
      aria-busy={isChecking}
      onClick={onOpen}
      className="figures flex min-h-11 w-full items-center gap-2 rounded-field text-left text-sm underline decoration-line underline-offset-4"
    >
      <ChevronUp aria-hidden className="size-4 shrink-0" />
      <span>{replay ? lineMessage(replay) : hasFailed ? m.replay_line_failed() : m.replay_checking()}</span>
    </button>
  );
}

/** Each block that a draft would have changed, beside the sums. */
export function ReplaySheet({
  open,
  onClose,
  ...of
}: {
  open: boolean;
  onClose: () => void;
  draft: Draft;
  days: ReplayDays;
  onDays: (days: ReplayDays) => void;
  onDiscard: () => void;
  isSaving: boolean;
}) {
  return (
    <Sheet open={open} onClose={onClose} title={m.replay_title()}>
      {open && <DraftReport {...of} />}
    </Sheet>
  );
}

function DraftReport({
  draft,
  days,
  ...actions
}: {
  draft: Draft;
  days: ReplayDays;
  onDays: (days: ReplayDays) => void;
  onDiscard: () => void;
  isSaving: boolean;
}) {
  const [mode, setMode] = useState<Mode | null>(null);
  const choice = { mode, onMode: setMode };
  return <ReplaySummary {...useReplay(draft, days, mode)} days={days} {...actions} {...choice} />;
}

function lineMessage({ days, since, edited, saved, gained, dropped, currency }: ReplayResponse): string {
  if (since === null) return m.replay_line_empty();
  const inputs = { period: PERIOD_LABELS[days](), edited: formatBlocks(edited, currency) };
  if (gained.length + dropped.length === 0) return m.replay_line_same(inputs);
  return m.replay_line({ ...inputs, saved: formatBlocks(saved, currency) });
}

/** How long the driver pauses before their changes are replayed. */
const PAUSE_MS = 500;

/**
 * The log replayed by a draft, and by another mode if one is given, once the driver pauses; nothing while the draft has
 * mistakes.
 */
function useReplay(draft: Draft, days: ReplayDays, mode: Mode | null = null) {
  const { filters: saved, version } = useSuspenseQuery(filtersQuery).data;
  const settled = useSettled(draft);
  const filters = useMemo(() => draftToFilters(settled), [settled]);
  const { data, isFetching, isError, refetch } = useQuery({
    ...replayQuery({ filters: filters ?? saved, version, days, mode }),
    enabled: filters !== null,
  });
  return {
    replay: filters === null ? null : (data ?? null),
    isChecking: isFetching || settled !== draft,
    hasFailed: isError,
    checkAgain: () => void refetch(),
  };
}

/** A value once it has stayed the same for a moment. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
