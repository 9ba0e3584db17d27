import { useSelector } from "@tanstack/react-store";
import { m } from "../../messages/messages.js";
import { Sheet } from "../../ui/sheet.tsx";
import { ContactList } from "./contact-list.tsx";
import { closeSheet, uiStore } from "../ui-state/ui-store.ts";

/** The support contacts over any screen. */
export function SupportSheet() {
  const isOpen = useSelector(uiStore, (state) => state.supportSheetOpen);
  return (
    <Sheet open={isOpen} onClose={() => closeSheet("support")} title={m.support_title()}>
      <p className="mb-2 text-soft">{m.support_text()}</p>
      <ContactList />
    </Sheet>
  );
}
