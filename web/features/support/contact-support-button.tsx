import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { openSheet } from "../ui-state/ui-store.ts";

/** For where retrying doesn't help. */
export function ContactSupportButton() {
  return (
    <Button variant="quiet" onClick={() => openSheet("support")}>
      {m.nav_contact()}
    </Button>
  );
}
