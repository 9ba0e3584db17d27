import {
  CatchBoundary,
  Outlet,
  useLocation,
  useMatches,
  useRouter,
  useRouterState,
} from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { lazy, Suspense, useEffect } from "react";
import { m } from "../../messages/messages.js";
import { useRestoreSession } from "../session/use-restore-session.ts";
import { ThemeEffect } from "../theme/theme-effect.tsx";
import { FiltersSheet } from "./filters-sheet.tsx";
import { Footer } from "./footer.tsx";
import { openSheet } from "../ui-state/ui-store.ts";
import { Header } from "./header.tsx";
import { MenuSheet } from "./menu-sheet.tsx";
import { useFocusHeading } from "../navigation/use-focus-heading.ts";
import { isKnownPath, pageTitle } from "../navigation/screen-titles.ts";
import { useHasTabs } from "./use-has-tabs.ts";
import { SupportSheet } from "../support/support-sheet.tsx";
import { toasterStore } from "../../ui/toast.ts";
import { useProductName } from "../../api/queries/use-config.ts";
import { maintenanceStore } from "../../api/client/maintenance.ts";

const Toaster = lazy(async () => {
  const { Toaster } = await import("../../ui/toaster.tsx");
  return { default: Toaster };
});
const MaintenanceNotice = lazy(async () => ({
  default: (await import("./maintenance-notice.tsx")).MaintenanceNotice,
}));
const RenderNothing = () => null;

/** The header, footer and sheets around every screen. */
export function AppShell() {
  useRestoreSession();
  useDocumentTitle();
  useCloseSheetsOnNavigate();
  useFocusHeading();
  const activeRoutes = useMatches({ select: (matches) => matches.map(({ routeId }) => routeId) });
  const maintenance = useSelector(maintenanceStore);
  const hasToasts = useSelector(toasterStore);
  const onLanding = activeRoutes.includes("/");
  const isGuarded = activeRoutes.includes("/flex");
  const isUnknown = useLocation({ select: ({ pathname }) => !isKnownPath(pathname) });
  const hasTabs = useHasTabs() && (isGuarded || isUnknown);
  const isFirstLoad = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation === undefined });
  // It is framed inside another screen, which has the shell already.
  if (activeRoutes.includes("/arrived")) {
    return (
      <>
        <ThemeEffect alwaysLight={false} />
        <Outlet />
      </>
    );
  }
  return (
    <>
      <a
        href="#content"
        className="sr-only z-50 rounded-field bg-signal px-4 py-3 font-semibold text-on-signal focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {m.skip_to_content()}
      </a>
      <ThemeEffect alwaysLight={onLanding} />
      <div className="flex min-h-dvh flex-col">
        <Header onLanding={onLanding} hasSideRail={hasTabs} />
        {maintenance && (
          <CatchBoundary getResetKey={() => 0} errorComponent={RenderNothing}>
            <Suspense>
              <MaintenanceNotice {...maintenance} />
            </Suspense>
          </CatchBoundary>
        )}
        {/* A driver's screen, and an unknown one, which may be a driver's, fills the window at least, so that what loads moves no
            footer; on others it is at the foot. */}
        <div className={isGuarded || isUnknown ? "min-h-[calc(100dvh-61px)]" : "flex-1"}>
          <Outlet />
        </div>
        <div className={isFirstLoad ? "invisible" : ""}>
          <Footer hasBottomBar={hasTabs} />
        </div>
      </div>
      <MenuSheet onLanding={onLanding} />
      <SupportSheet />
      <FiltersSheet />
      {hasToasts && (
        <CatchBoundary getResetKey={() => 0} errorComponent={RenderNothing}>
          <Suspense>
            <Toaster />
          </Suspense>
        </CatchBoundary>
      )}
    </>
  );
}

/** Sets the tab's title to the current screen, in the page's language. */
function useDocumentTitle(): void {
  const product = useProductName();
  const title = useLocation({ select: ({ pathname }) => pageTitle(pathname, product) });
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Navigating closes the open sheet. */
function useCloseSheetsOnNavigate(): void {
  const router = useRouter();
  useEffect(() => router.subscribe("onBeforeNavigate", () => openSheet(null)), [router]);
}
