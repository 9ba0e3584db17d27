import { Footprints } from "lucide-react";
import { m } from "../../messages/messages.js";
import { ReloadButton } from "../../ui/reload-button.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";

/** A step that only a later release of the page knows. */
export function NewerStep() {
  return (
    <div className="mx-auto grid max-w-md gap-4">
      <StatusPanel Icon={Footprints} heading="h1" title={m.linking_other_title()} actions={<ReloadButton />}>
        {m.linking_other_text()}
      </StatusPanel>
    </div>
  );
}
