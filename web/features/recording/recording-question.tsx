import { useId } from "react";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { handFocusOn } from "../../ui/hand-focus-on.ts";
import { useRecordingConsent } from "./use-recording-consent.ts";

/** Asks once whether sessions may be recorded. Both answers are one tap, and neither stands out. */
export function RecordingQuestion() {
  const titleId = useId();
  const { consent, save, isPending, isError } = useRecordingConsent();
  if (consent !== null) return null;
  return (
    <section
      ref={handFocusOn}
      aria-labelledby={titleId}
      data-testid="recording"
      className="card grid gap-4 p-5"
    >
      <div className="grid gap-1">
        <h3 id={titleId} className="text-base">
          {m.recording_title()}
        </h3>
        <p>{m.recording_text()}</p>
      </div>
      <div className="grid grid-cols-2 gap-3">
        <Button aria-disabled={isPending} onClick={() => save(false)}>
          {m.recording_decline()}
        </Button>
        <Button aria-disabled={isPending} onClick={() => save(true)}>
          {m.recording_allow()}
        </Button>
      </div>
      {isError && (
        <p role="alert" className="text-sm font-semibold text-bad">
          {m.recording_failed()}
        </p>
      )}
    </section>
  );
}
