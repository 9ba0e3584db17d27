import { useState } from "react";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";

/** The key by which support finds an error in the log: to read out, to select with a tap, or to copy. */
export function ErrorReference({ id, className = "" }: { id: string; className?: string }) {
  const [isCopied, setCopied] = useState(false);
  // Missing outside of secure contexts; there the code can be selected.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  const copy = () => {
    void clipboard?.writeText(id).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <div className={`flex flex-wrap items-center gap-x-3 text-sm ${className}`}>
      <p className="select-all tabular-nums">{m.error_reference({ id })}</p>
      {clipboard && (
        <Button variant="quiet" className="px-0! text-sm!" onClick={copy}>
          {m.error_reference_copy()}
        </Button>
      )}
      <output>{isCopied && m.error_reference_copied()}</output>
    </div>
  );
}
