import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { LanguageBoundary } from "../features/language/language-boundary.tsx";
import type { PageRouter } from "./router.ts";

/** The whole page, in the browser and where pages are rendered at build time. */
export function Page({ router, queryClient }: { router: PageRouter; queryClient: QueryClient }) {
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <LanguageBoundary>
          <RouterProvider router={router} />
        </LanguageBoundary>
      </QueryClientProvider>
    </StrictMode>
  );
}
