import { Undo2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";

/** Names what was removed and takes the focus, with the way back. */
export function RemovedLine({ text, onUndo }: { text: string; onUndo: () => void }) {
  const undo = useRef<HTMLButtonElement>(null);
  useEffect(() => undo.current?.focus(), []);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 rounded-field border border-line py-1 pr-1 pl-4">
      <output className="flex-1 basis-40 py-1">{text}</output>
      <Button ref={undo} variant="quiet" className="ml-auto" onClick={onUndo}>
        <Undo2 aria-hidden className="size-4.5" />
        {m.change_undo()}
      </Button>
    </div>
  );
}
