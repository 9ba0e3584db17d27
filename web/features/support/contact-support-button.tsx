import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { openSheet } from "../ui-state/ui-store.ts";

/** The way on where trying again does not help. */
export function ContactSupportButton() {
  return (
    <Button variant="quiet" onClick={() => openSheet("support")}>
      {m.nav_contact()}
    </Button>
  );
}
