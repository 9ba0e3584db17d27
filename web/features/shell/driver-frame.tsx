import type { ReactNode } from "react";
import { Breadcrumbs } from "../navigation/breadcrumbs.tsx";
import { StartStrip } from "../start/start-strip.tsx";
import { useStartStep } from "../start/use-start-step.ts";
import { BottomBar } from "./bottom-bar.tsx";
import { SideRail } from "./side-rail.tsx";
import { useHasTabs } from "./use-has-tabs.ts";

/** The layout of the signed-in screens: the side rail or bottom bar and the breadcrumbs, or the steps of who is setting up. */
export function DriverFrame({ children }: { children: ReactNode }) {
  const start = useStartStep();
  const hasTabs = useHasTabs();
  return (
    <div className="mx-auto flex max-w-7xl gap-8 px-4 pt-4 pb-6 sm:px-6 lg:pt-6">
      {hasTabs ? <SideRail /> : <div className="hidden w-[calc(9rem+80px)] shrink-0 lg:block" />}
      <div className="min-w-0 flex-1">
        {start && <StartStrip {...start} />}
        {hasTabs && <Breadcrumbs />}
        <main id="content" tabIndex={-1} className="outline-none">
          {children}
        </main>
      </div>
      {hasTabs && <BottomBar />}
    </div>
  );
}
