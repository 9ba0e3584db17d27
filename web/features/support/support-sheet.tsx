import { useSelector } from "@tanstack/react-store";
import { lazy } from "react";
import { m } from "../../messages/messages.js";
import { Sheet } from "../../ui/sheet.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LoadBoundary } from "../errors/load-boundary.tsx";
import type { CaughtError } from "../errors/load-error.tsx";
import { ScreenError } from "../errors/screen-error.tsx";
import { closeSheet, uiStore } from "../ui-state/ui-store.ts";

const ContactList = lazy(async () => ({ default: (await import("./contact-list.tsx")).ContactList }));

/** The support contacts over any screen. */
export function SupportSheet() {
  const isOpen = useSelector(uiStore, (state) => state.supportSheetOpen);
  return (
    <Sheet open={isOpen} onClose={() => closeSheet("support")} title={m.support_title()}>
      <p className="mb-2 text-soft">{m.support_text()}</p>
      <LoadBoundary skeleton={<Skeleton className="h-12" />} errorComponent={ContactsError}>
        <ContactList />
      </LoadBoundary>
    </Sheet>
  );
}

function ContactsError(caught: CaughtError) {
  return <ScreenError {...caught} isPart />;
}
