import { RouterContextProvider } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { sessionStore } from "../api/session/session.ts";
import { DriverFrame } from "../features/shell/driver-frame.tsx";
import { Header } from "../features/shell/header.tsx";
import type { PageRouter } from "../page/router.ts";

/** What is around a screen, and the shape of what comes. It is replaced as a whole once the page's code has loaded. */
export function ScreenFrame({ router, Skeleton }: { router: PageRouter; Skeleton?: ComponentType }) {
  const isDriverScreen = Boolean(sessionStore.get());
  return (
    <RouterContextProvider router={router}>
      <Header onLanding={false} hasSideRail={isDriverScreen} />
      {isDriverScreen && <DriverFrame>{Skeleton && <Skeleton />}</DriverFrame>}
    </RouterContextProvider>
  );
}
