import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext } from "@tanstack/react-router";
import { ErrorPage } from "../features/errors/error-page.tsx";
import { AppShell } from "../features/shell/app-shell.tsx";
import { NotFound } from "../features/shell/not-found.tsx";
import { configQuery, statusQuery } from "../api/queries/user.ts";

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(configQuery);
    void queryClient.prefetchQuery(statusQuery);
  },
  component: AppShell,
  notFoundComponent: NotFound,
  errorComponent: ErrorPage,
});
