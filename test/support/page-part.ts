import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from "@tanstack/react-router";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Answered } from "./console-part.ts";

/** The HTML of a part of a driver's screen, whose queries have been answered. */
export async function htmlOfPart(
  part: ReactNode,
  { answered = [], path = "/" }: { answered?: readonly Answered[]; path?: string } = {},
): Promise<string> {
  const queryClient = new QueryClient();
  for (const [key, data] of answered) queryClient.setQueryData(key, data);
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createRouter({ routeTree: createRootRoute(), history });
  await router.load();
  // oxlint-disable-next-line react/no-children-prop -- the prop's type wants it there
  const withRouter = createElement(RouterContextProvider, { router, children: part });
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, withRouter));
}
