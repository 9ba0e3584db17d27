import { useSelector } from "@tanstack/react-store";
import { lazy } from "react";
import { m } from "../../messages/messages.js";
import { Sheet } from "../../ui/sheet.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LoadBoundary, LoadError, type CaughtError } from "../errors/load-error.tsx";
import { ScreenError } from "../errors/screen-error.tsx";
import { closeSheet, uiStore } from "../ui-state/ui-store.ts";

const MenuItems = lazy(async () => ({ default: (await import("./menu-items.tsx")).MenuItems }));

const QuickFilters = lazy(async () => {
  const { QuickFilters } = await import("../filters/quick-filters.tsx");
  return { default: QuickFilters };
});

const ContactList = lazy(async () => ({
  default: (await import("../support/contact-list.tsx")).ContactList,
}));

/** A phone's menu, which slides from the top. Navigating closes it. */
export function MenuSheet({ onLanding }: { onLanding: boolean }) {
  const isOpen = useSelector(uiStore, (state) => state.mobileSheetOpen);
  return (
    <Sheet open={isOpen} onClose={() => closeSheet("menu")} edge="top" title={m.nav_menu()}>
      <LoadBoundary skeleton={<Skeleton className="h-80" />} errorComponent={MenuError}>
        <MenuItems onLanding={onLanding} />
      </LoadBoundary>
    </Sheet>
  );
}

function MenuError(caught: CaughtError) {
  return <ScreenError {...caught} isPart />;
}

/** Quick filters in a sheet, without leaving the screen. */
export function FiltersSheet() {
  const isOpen = useSelector(uiStore, (state) => state.filtersSheetOpen);
  return (
    <Sheet open={isOpen} onClose={() => closeSheet("filters")} title={m.filters_short_title()}>
      <LoadBoundary skeleton={<Skeleton className="h-80" />} errorComponent={FiltersError}>
        <QuickFilters />
      </LoadBoundary>
    </Sheet>
  );
}

function FiltersError(caught: CaughtError) {
  return <LoadError {...caught} title={m.filters_failed_title()} />;
}

/** The support contacts over any screen. */
export function SupportSheet() {
  const isOpen = useSelector(uiStore, (state) => state.supportSheetOpen);
  return (
    <Sheet open={isOpen} onClose={() => closeSheet("support")} edge="foot" title={m.support_title()}>
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
