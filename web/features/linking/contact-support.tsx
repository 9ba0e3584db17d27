import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { openSheet } from "../frame/frame-store.ts";

/** The way on where trying again does not help. */
export function ContactSupport() {
  return (
    <Button look="quiet" onClick={() => openSheet("support")}>
      {m.nav_contact()}
    </Button>
  );
}
