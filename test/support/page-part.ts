import { MutationObserver, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from "@tanstack/react-router";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { vi } from "vitest";
import type { Answered } from "./console-part.ts";

type Surroundings = { answered?: readonly Answered[]; path?: string };

/** The HTML of a part of a driver's screen, whose queries have been answered. */
export async function htmlOfPart(
  part: ReactNode,
  { answered = [], path = "/" }: Surroundings = {},
): Promise<string> {
  const queryClient = new QueryClient();
  for (const [key, data] of answered) queryClient.setQueryData(key, data);
  return render(part, { queryClient, path });
}

async function render(
  part: ReactNode,
  { queryClient, path }: { queryClient: QueryClient; path: string },
): Promise<string> {
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createRouter({ routeTree: createRootRoute(), history });
  await router.load();
  // oxlint-disable-next-line react/no-children-prop -- the prop's type wants it there
  const withRouter = createElement(RouterContextProvider, { router, children: part });
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, withRouter));
}

/**
 * The changes that a part of a driver's screen can make, in the order in which it declares them, each as a function of what
 * it is given; and the cache that they leave behind.
 */
export async function changesOfPart(part: ReactNode, { answered = [], path = "/" }: Surroundings = {}) {
  const queryClient = new QueryClient();
  for (const [key, data] of answered) queryClient.setQueryData(key, data);
  const declared = vi.spyOn(queryClient, "defaultMutationOptions");
  await render(part, { queryClient, path });
  const changes = declared.mock.calls.map(([options = {}]) => {
    const observer = new MutationObserver<unknown, Error, unknown>(new QueryClient(), options);
    return (input?: unknown) => observer.mutate(input);
  });
  return {
    changes,
    cached: (key: readonly unknown[]) => queryClient.getQueryData(key),
    /** Whether what is cached under a key counts as old, so that a screen that shows it asks anew. */
    isStale: (key: readonly unknown[]) => queryClient.getQueryState(key)?.isInvalidated ?? false,
  };
}

/** A part's texts as a driver reads them, a line for each. */
export function textsIn(html: string): string[] {
  return html
    .split(/<[^>]*>/u)
    .map((text) => text.replaceAll("&#x27;", "'").replaceAll("&amp;", "&").replaceAll("&nbsp;", " "))
    .map((text) => text.replaceAll(/\s+/gu, " ").trim())
    .filter(Boolean);
}
