import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { saveDraft } from "./draft-store.ts";

/** Discards or saves the draft. */
export function SaveButtons({
  isChanged = true,
  isInvalid,
  isSaving,
  onSave,
}: {
  isChanged?: boolean;
  isInvalid: boolean;
  isSaving: boolean;
  onSave: () => void;
}) {
  return (
    <>
      {isChanged && (
        <Button variant="quiet" disabled={isSaving} onClick={() => saveDraft(null)}>
          {m.save_undo()}
        </Button>
      )}
      <Button
        variant="primary"
        className="min-w-28"
        disabled={!isChanged || isSaving || isInvalid}
        onClick={onSave}
      >
        {isSaving ? m.save_saving() : m.save_button()}
      </Button>
    </>
  );
}
