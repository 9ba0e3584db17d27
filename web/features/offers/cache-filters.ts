import type { QueryClient } from "@tanstack/react-query";
import type { FiltersResponse } from "../../../worker/contract/work/filters.ts";
import { cacheResponse } from "../../api/client/query-client.ts";
import { passedOverQuery } from "../../api/queries/blocks.ts";
import { filtersQuery } from "../../api/queries/filters.ts";
import { WEEK_KEY } from "../../api/queries/statistics.ts";
import { userQuery } from "../../api/queries/user.ts";

/** Keeps the filters that were just saved, and has asked anew whatever says what to change in them. */
export function cacheFilters(queryClient: QueryClient, answer: FiltersResponse): void {
  cacheResponse(queryClient, filtersQuery, answer);
  for (const queryKey of [passedOverQuery.queryKey, WEEK_KEY, userQuery.queryKey])
    void queryClient.invalidateQueries({ queryKey });
}
