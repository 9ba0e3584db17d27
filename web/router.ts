import { createRouter } from "@tanstack/react-router";
import { queryClient } from "./api/query-client.ts";
import { ScreenError } from "./features/errors/screen-error.tsx";
import { routeTree } from "./routeTree.gen.ts";

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: "intent",
  // The query cache decides what is fresh, not the router.
  defaultPreloadStaleTime: 0,
  // A screen that loads faster than this replaces the old one without flashing a skeleton.
  defaultPendingMs: 100,
  defaultPendingMinMs: 0,
  // Parameters that no route knows leave the address; Stripe adds an intent's client secret on the way back from a bank.
  search: { strict: true },
  scrollRestoration: true,
  defaultErrorComponent: ScreenError,
  notFoundMode: "root",
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
