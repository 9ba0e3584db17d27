import { useSelector } from "@tanstack/react-store";
import type { ReactNode } from "react";
import { sessionStore } from "../../api/session.ts";
import { Breadcrumbs } from "../navigation/breadcrumbs.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { SideRail } from "./side-rail.tsx";

/** The layout of the signed-in screens: the side rail or bottom bar, and the breadcrumbs. */
export function DriverFrame({ children }: { children: ReactNode }) {
  const isSignedIn = Boolean(useSelector(sessionStore));
  return (
    <div className="mx-auto flex max-w-7xl gap-8 px-4 pt-4 pb-6 sm:px-6 lg:pt-6">
      {isSignedIn && <SideRail />}
      <div className="min-w-0 flex-1">
        {isSignedIn && <Breadcrumbs />}
        <main id="content" tabIndex={-1} className="outline-none">
          {children}
        </main>
      </div>
      {isSignedIn && <BottomBar />}
    </div>
  );
}
