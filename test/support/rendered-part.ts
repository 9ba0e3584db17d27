import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from "@tanstack/react-router";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createElement, type ReactNode } from "react";
import { onTestFinished } from "vitest";
import type { Answered } from "./console-part.ts";

/**
 * A part of a driver's screen in a document, whose queries have been answered: what the driver does there goes through
 * `user`, and what it leaves behind stands in the cache.
 */
export async function renderPart(
  part: ReactNode,
  { answered = [], path = "/" }: { answered?: readonly Answered[]; path?: string } = {},
) {
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Infinity, gcTime: Infinity } },
  });
  for (const [key, data] of answered) queryClient.setQueryData(key, data);
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createRouter({ routeTree: createRootRoute(), history });
  await router.load();
  // oxlint-disable-next-line react/no-children-prop -- the prop's type wants it there
  const withRouter = createElement(RouterContextProvider, { router, children: part });
  const { container } = render(createElement(QueryClientProvider, { client: queryClient }, withRouter));
  onTestFinished(() => queryClient.clear());
  return {
    user: userEvent.setup(),
    html: () => container.innerHTML,
    cached: (key: readonly unknown[]) => queryClient.getQueryData(key),
    /** Whether what is cached under a key counts as old, so that a screen that shows it asks anew. */
    isStale: (key: readonly unknown[]) => queryClient.getQueryState(key)?.isInvalidated ?? false,
  };
}
