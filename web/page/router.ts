import { createRouter, type RouterHistory } from "@tanstack/react-router";
import type { QueryClient } from "@tanstack/react-query";
import { isPublicPath, splitLanguage, withLanguage } from "../../worker/contract/page-address.ts";
import { ScreenError } from "../features/errors/screen-error.tsx";
import { routeTree } from "../routeTree.gen.ts";

/** The page's router. `history` is the browser's, except where pages are rendered without one. */
export function createPageRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { queryClient },
    ...(history && { history }),
    defaultPreload: "intent",
    // The query cache decides what is fresh, not the router.
    defaultPreloadStaleTime: 0,
    // A screen that loads faster than this replaces the old one without flashing a skeleton.
    defaultPendingMs: 100,
    defaultPendingMinMs: 0,
    // Parameters that no route knows leave the address; Stripe adds an intent's client secret on the way back from a bank.
    search: { strict: true },
    // It would render an inline script, which the policy forbids.
    scrollRestoration: !history,
    rewrite: {
      input: ({ url }) => withPath(url, splitLanguage(url.pathname).pathname),
      output: keepLanguage,
    },
    defaultErrorComponent: ScreenError,
    notFoundMode: "root",
  });
}

/** Visitors who came to an address that names a language stay among those. */
function keepLanguage({ url }: { url: URL }): URL {
  const current = typeof location === "undefined" ? null : splitLanguage(location.pathname).language;
  return current && isPublicPath(url.pathname) ? withPath(url, withLanguage(url.pathname, current)) : url;
}

function withPath(url: URL, pathname: string): URL {
  const changed = new URL(url);
  changed.pathname = pathname;
  return changed;
}

export type PageRouter = ReturnType<typeof createPageRouter>;

declare module "@tanstack/react-router" {
  interface Register {
    router: PageRouter;
  }
}
