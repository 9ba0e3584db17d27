import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet, useLocation } from "@tanstack/react-router";
import { Toaster } from "sonner";
import { Crash } from "../features/frame/crash.tsx";
import { Footer } from "../features/frame/footer.tsx";
import { Header } from "../features/frame/header.tsx";
import { MenuSheet } from "../features/frame/menu-sheet.tsx";
import { NotFound } from "../features/frame/not-found.tsx";
import { SupportSheet } from "../features/frame/support-sheet.tsx";
import { useSessionStart } from "../features/session/use-session-start.ts";
import { ThemeOnPage } from "../features/theme/theme-on-page.tsx";
import { m } from "../messages/messages.js";
import { configQuery } from "../api/queries.ts";

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  loader: ({ context }) => void context.queryClient.prefetchQuery(configQuery),
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: Crash,
});

/** What surrounds every screen. */
function Root() {
  useSessionStart();
  const onLanding = useLocation({ select: ({ pathname }) => pathname === "/" });
  const inFrame = useLocation({ select: ({ pathname }) => pathname === "/arrived" });
  if (inFrame) {
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
      <Header onLanding={onLanding} />
      <Outlet />
      <Footer />
      <MenuSheet onLanding={onLanding} />
      <SupportSheet />
      <Toaster
        position="top-center"
        toastOptions={{
          unstyled: true,
          classNames: {
            toast:
              "flex w-full items-center gap-3 rounded-card border border-line bg-raised px-4 py-3 text-base font-semibold text-ink shadow-lg",
            success: "!border-transparent !bg-signal !text-on-signal",
            error: "!border-bad",
          },
        }}
      />
    </>
  );
}
