import { ChevronUp } from "lucide-react";
import { useState } from "react";
import type { Mode } from "../../../../db/shapes/work/filters.ts";
import type { ReplayDays } from "../../../../db/shapes/work/replay.ts";
import type { ReplayResponse } from "../../../../worker/contract/work/replay.ts";
import { m } from "../../../messages/messages.js";
import { Sheet } from "../../../ui/sheet.tsx";
import type { Draft } from "../draft.ts";
import { formatBlocks, PERIOD_LABELS } from "./replay-messages.ts";
import { ReplaySummary } from "./replay-summary.tsx";
import { useReplay } from "./use-replay.ts";

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
  onDays,
  onDiscard,
}: {
  draft: Draft;
  days: ReplayDays;
  onDays: (days: ReplayDays) => void;
  onDiscard: () => void;
}) {
  const [mode, setMode] = useState<Mode | null>(null);
  const choice = { mode, onMode: setMode };
  return <ReplaySummary {...useReplay(draft, days, mode)} {...{ days, onDays, onDiscard }} {...choice} />;
}

function lineMessage({ days, since, edited, saved, gained, dropped, currency }: ReplayResponse): string {
  if (since === null) return m.replay_line_empty();
  const inputs = { period: PERIOD_LABELS[days](), edited: formatBlocks(edited, currency) };
  if (gained.length + dropped.length === 0) return m.replay_line_same(inputs);
  return m.replay_line({ ...inputs, saved: formatBlocks(saved, currency) });
}
