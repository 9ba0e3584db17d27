import type { ReactNode } from "react";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";

/** The foot of a profile form: undo where something was changed, and the button that saves. */
export function ProfileSaveRow({
  isChanged,
  onUndo,
  children,
}: {
  isChanged: boolean;
  onUndo: () => void;
  children: ReactNode;
}) {
  return (
    <div className="flex flex-wrap justify-end gap-3">
      {isChanged && (
        <Button variant="quiet" onClick={onUndo}>
          {m.save_undo()}
        </Button>
      )}
      {children}
    </div>
  );
}
