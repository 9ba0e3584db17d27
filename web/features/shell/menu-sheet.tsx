import { useSelector } from "@tanstack/react-store";
import { lazy } from "react";
import { m } from "../../messages/messages.js";
import { Sheet } from "../../ui/sheet.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LoadBoundary } from "../errors/load-boundary.tsx";
import type { CaughtError } from "../errors/load-error.tsx";
import { ScreenError } from "../errors/screen-error.tsx";
import { closeSheet, uiStore } from "../ui-state/ui-store.ts";

const MenuItems = lazy(async () => ({ default: (await import("./menu-items.tsx")).MenuItems }));

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
