import { createFileRoute, Outlet } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { sessionStore } from "../../api/session.ts";
import { BottomBar } from "../../features/shell/bottom-bar.tsx";
import { Breadcrumbs } from "../../features/navigation/breadcrumbs.tsx";
import { SideRail } from "../../features/shell/side-rail.tsx";
import { SessionGate } from "../../features/session/session-gate.tsx";

export const Route = createFileRoute("/flex")({ component: SignedIn });

/** The menu and the gate of all that needs a driver. */
function SignedIn() {
  const isSignedIn = Boolean(useSelector(sessionStore));
  return (
    <div className="mx-auto flex max-w-7xl gap-8 px-4 pt-4 pb-6 sm:px-6 lg:pt-6">
      {isSignedIn && <SideRail />}
      <div className="min-w-0 flex-1">
        {isSignedIn && <Breadcrumbs />}
        <main id="content" tabIndex={-1} className="outline-none">
          <SessionGate>
            <Outlet />
          </SessionGate>
        </main>
      </div>
      {isSignedIn && <BottomBar />}
    </div>
  );
}
