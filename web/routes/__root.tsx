import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext } from "@tanstack/react-router";
import { ErrorPage } from "../features/frame/error-page.tsx";
import { Frame } from "../features/frame/frame.tsx";
import { NotFound } from "../features/frame/not-found.tsx";
import { configQuery, statusQuery } from "../api/queries.ts";

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(configQuery);
    void queryClient.prefetchQuery(statusQuery);
  },
  component: Frame,
  notFoundComponent: NotFound,
  errorComponent: ErrorPage,
});
