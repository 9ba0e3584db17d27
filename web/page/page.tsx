import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode, Fragment, useEffect, type ReactNode } from "react";
import type { PageRouter } from "./router.ts";
import { useLocale } from "../features/language/locale.ts";

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

/** Remounts everything when the language changes. State that must survive that lives in stores. */
function LanguageBoundary({ children }: { children: ReactNode }) {
  const locale = useLocale();
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  return <Fragment key={locale}>{children}</Fragment>;
}
