import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from "@tanstack/react-router";
import { createElement, type ReactNode } from "react";
import { CALL_DEFAULTS } from "../../web/api/client/query-client.ts";
import type { Answered } from "./console-part.ts";

/** The surroundings of a part of a screen: its address, and the queries that have been answered. */
export type Surroundings = { answered?: readonly Answered[]; path?: string };

/** A part of a screen in its surroundings, ready to be rendered; queries that have no answer are asked once. */
export async function surround(part: ReactNode, { answered = [], path = "/" }: Surroundings = {}) {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: Infinity, gcTime: Infinity },
      mutations: CALL_DEFAULTS,
    },
  });
  for (const [key, data] of answered) queryClient.setQueryData(key, data);
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createRouter({ routeTree: createRootRoute(), history });
  await router.load();
  // oxlint-disable-next-line react/no-children-prop -- the prop's type wants it there
  const withRouter = createElement(RouterContextProvider, { router, children: part });
  const surrounded = createElement(QueryClientProvider, { client: queryClient }, withRouter);
  return { surrounded, queryClient, history };
}
