import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";

/** Discards or saves the draft. */
export function SaveButtons({
  isChanged = true,
  isInvalid,
  isSaving,
  hasFailed = false,
  onSave,
  onDiscard,
}: {
  isChanged?: boolean;
  hasFailed?: boolean;
  isInvalid: boolean;
  isSaving: boolean;
  onSave: () => void;
  onDiscard: () => void;
}) {
  return (
    <>
      {isChanged && (
        <Button variant="quiet" aria-disabled={isSaving} onClick={() => isSaving || onDiscard()}>
          {m.save_undo()}
        </Button>
      )}
      <Button
        variant="primary"
        className="min-w-28"
        disabled={!isChanged || isInvalid}
        aria-disabled={isSaving}
        onClick={() => isSaving || onSave()}
      >
        {isSaving ? m.save_saving() : hasFailed ? m.save_again() : m.save_button()}
      </Button>
    </>
  );
}
