import { useState } from "react";
import { createPortal } from "react-dom";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { SandboxedFrame, OpenInNewTabLink } from "../../ui/sandboxed-frame.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { useProductName } from "../../api/use-config.ts";

/** Opens the platform's selfie page in a sheet. */
export function SelfieButton({ url }: { url: string }) {
  const product = useProductName();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        {m.phase_verification_action()}
      </Button>
      {createPortal(
        <Sheet open={isOpen} onClose={() => setOpen(false)} title={m.selfie_title()}>
          <div className="grid gap-3">
            <p className="text-sm text-soft">{m.selfie_text({ product })}</p>
            <SandboxedFrame src={url} title={m.selfie_title()} allow="camera" isThirdParty />
            <OpenInNewTabLink href={url} />
          </div>
        </Sheet>,
        // The button may be inside a dark card, whose colors the sheet must not inherit.
        document.body,
      )}
    </>
  );
}
