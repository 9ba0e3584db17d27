import { CatchBoundary, Outlet, useLocation, useMatches, useRouter } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { lazy, Suspense, useEffect } from "react";
import { sessionStore } from "../../api/session.ts";
import { m } from "../../messages/messages.js";
import { useSessionStart } from "../session/use-session-start.ts";
import { ThemeOnPage } from "../theme/theme-on-page.tsx";
import { FiltersSheet } from "./filters-sheet.tsx";
import { Footer } from "./footer.tsx";
import { openSheet } from "./frame-store.ts";
import { Header } from "./header.tsx";
import { MenuSheet } from "./menu-sheet.tsx";
import { titleOf } from "./screens.ts";
import { SupportSheet } from "./support-sheet.tsx";
import { useProductName } from "./use-config.ts";

// Nothing is to be said before the first paint, so it need not wait for this.
const Toaster = lazy(async () => {
  const { Toaster } = await import("../../ui/toaster.tsx");
  return { default: Toaster };
});
const Nothing = () => null;

/** What surrounds every screen. */
export function Frame() {
  useSessionStart();
  useTitle();
  useSheetsThatClose();
  const isSignedIn = Boolean(useSelector(sessionStore));
  const shown = useMatches({ select: (matches) => matches.map(({ routeId }) => routeId) });
  const onLanding = shown.includes("/");
  const amongDriverScreens = isSignedIn && shown.includes("/flex");
  // It stands in a frame of another screen, which has all of this around it.
  if (shown.includes("/arrived")) {
    return (
      <>
        <ThemeOnPage alwaysLight={false} />
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
      <ThemeOnPage alwaysLight={onLanding} />
      <Header onLanding={onLanding} besideRail={amongDriverScreens} />
      <Outlet />
      <Footer aboveBottomBar={amongDriverScreens} />
      <MenuSheet onLanding={onLanding} />
      <SupportSheet />
      <FiltersSheet />
      <CatchBoundary getResetKey={() => 0} errorComponent={Nothing}>
        <Suspense>
          <Toaster />
        </Suspense>
      </CatchBoundary>
    </>
  );
}

/** The tab says which screen it shows, in the language of the page. */
function useTitle(): void {
  const product = useProductName();
  const title = useLocation({ select: ({ pathname }) => titleOf(pathname, product) });
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Whoever goes somewhere is done with what lay over the page. */
function useSheetsThatClose(): void {
  const router = useRouter();
  useEffect(() => router.subscribe("onBeforeNavigate", () => openSheet(null)), [router]);
}
