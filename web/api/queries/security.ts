import { infiniteQueryOptions } from "@tanstack/react-query";
import { securityResponse } from "../../../worker/contract/account/security.ts";
import { api } from "../client/client.ts";
import { parseResponse } from "../client/request.ts";

/** What happened to the driver's account, the latest first, page by page. */
export const securityEventsQuery = infiniteQueryOptions({
  queryKey: ["security"],
  queryFn: async ({ pageParam }) => {
    const query = pageParam === null ? {} : { cursor: pageParam };
    return parseResponse(securityResponse, await api.flex.v1.security.$get({ query }));
  },
  initialPageParam: firstCursor(),
  getNextPageParam: ({ cursor }) => cursor,
  refetchOnMount: "always",
});

/** The first page has none. */
function firstCursor(): string | null {
  return null;
}
