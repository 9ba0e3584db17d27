import {
  CatchBoundary,
  Outlet,
  useLocation,
  useMatches,
  useRouter,
  useRouterState,
  Link,
} from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { lazy, Suspense, useEffect, useState } from "react";
import { m } from "../../messages/messages.js";
import { useRestoreSession } from "../session/use-restore-session.ts";
import { ThemeEffect } from "../ui-state/theme-selector.tsx";
import { FiltersSheet, MenuSheet, SupportSheet } from "./sheets.tsx";
import { openSheet } from "../ui-state/ui-store.ts";
import { Header } from "./header.tsx";
import { isPublicPath } from "../../../worker/contract/page-address.ts";
import { isKnownPath, pageTitle } from "../navigation/screen-titles.ts";
import { useHasTabs } from "./driver-frame.tsx";
import { sessionStore } from "../../api/session/session.ts";
import { lazyOptional } from "../../ui/lazy-optional.ts";
import { toasterStore } from "../../ui/toast.ts";
import { useLoadedConfig, useProductName } from "../../api/queries/use-config.ts";
import { maintenanceStore } from "../../api/client/maintenance.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { focusHeading } from "../../ui/focus-heading.ts";
import { OverdueNotice } from "../../ui/overdue-notice.tsx";
import { SignInOutButton } from "../session/sign-in-out-button.tsx";

const Toaster = lazy(async () => {
  const { Toaster } = await import("../../ui/toaster.tsx");
  return { default: Toaster };
});
const MaintenanceNotice = lazy(async () => ({
  default: (await import("./maintenance-notice.tsx")).MaintenanceNotice,
}));
/** Few pages are without it, but it is in no first load. Where it can't be fetched, the support sheet has the chat. */
const ChatBubble = lazyOptional(async () => (await import("../chat/chat-bubble.tsx")).ChatBubble);
const RenderNothing = () => null;

/** The header, footer and sheets around every screen. */
export function AppShell() {
  useRestoreSession();
  useDocument();
  useCloseSheetsOnNavigate();
  useFocusHeading();
  const activeRoutes = useMatches({ select: (matches) => matches.map(({ routeId }) => routeId) });
  const maintenance = useSelector(maintenanceStore);
  const hasToasts = useSelector(toasterStore);
  const isSignedIn = Boolean(useSelector(sessionStore));
  const hasChat = Boolean(useLoadedConfig()?.chat);
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
      {isGuarded && <OverdueNotice className="overdue-data" />}
      {isSignedIn && hasChat && (
        <Suspense>
          <ChatBubble hasTabs={hasTabs} />
        </Suspense>
      )}
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

/**
 * Sets the tab's title to the current screen, and whether browsers may translate that: the pages for everybody, which hardly
 * change, and no other. React doesn't know what they put in the place of a text, so that a figure would stay as it was, or the
 * screen fail, when it changes.
 */
function useDocument(): void {
  const product = useProductName();
  const pathname = useLocation({ select: (location) => location.pathname });
  useEffect(() => {
    document.title = pageTitle(pathname, product);
    document.documentElement.translate = isPublicPath(pathname);
  }, [pathname, product]);
}

/** Navigating closes the open sheet. */
function useCloseSheetsOnNavigate(): void {
  const router = useRouter();
  useEffect(() => router.subscribe("onBeforeNavigate", () => openSheet(null)), [router]);
}

/** Below every screen. */
function Footer({ hasBottomBar }: { hasBottomBar: boolean }) {
  const product = useProductName();
  const [year] = useState(() => new Date().getFullYear());
  return (
    <footer
      className={`mx-auto mt-6 max-w-(--frame) px-4 text-sm text-soft sm:px-6 lg:pb-6 ${hasBottomBar ? "pb-[calc(5rem+env(safe-area-inset-bottom))]" : "pb-6"}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line pt-4">
        {/* The server's year may be another one than the device's. */}
        <span suppressHydrationWarning>{m.footer_rights({ year, product })}</span>
        <div className="-mx-4 flex flex-wrap items-center">
          <Button variant="quiet" onClick={() => openSheet("support")}>
            {m.nav_contact()}
          </Button>
          <SignInOutButton variant="quiet" />
          <Link to="/health" className={buttonClass("quiet")}>
            {m.health_title()}
          </Link>
          <Link to="/terms" className={buttonClass("quiet")}>
            {m.nav_terms()}
          </Link>
        </div>
      </div>
    </footer>
  );
}

/**
 * After a navigation by keyboard the new screen's heading has the focus: a screen reader reads where one is, and the next Tab
 * goes on from there. A screen that puts it into a field of its own keeps it.
 */
function useFocusHeading(): void {
  const router = useRouter();
  useEffect(() => {
    let isByKeyboard = false;
    const onKey = () => {
      isByKeyboard = true;
    };
    const onPointer = () => {
      isByKeyboard = false;
    };
    document.addEventListener("keydown", onKey, { capture: true });
    document.addEventListener("pointerdown", onPointer, { capture: true });
    const unsubscribe = router.subscribe("onRendered", ({ pathChanged, fromLocation }) => {
      if (isByKeyboard && pathChanged && fromLocation) focusHeading();
    });
    return () => {
      unsubscribe();
      document.removeEventListener("keydown", onKey, { capture: true });
      document.removeEventListener("pointerdown", onPointer, { capture: true });
    };
  }, [router]);
}
