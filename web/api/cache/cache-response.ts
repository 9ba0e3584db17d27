import type { DataTag, QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Puts what the server answered to a change into the cache. A read that is still under way may have been answered before the
 * change, so its answer is dropped.
 */
export function cacheResponse<Data>(
  queryClient: QueryClient,
  { queryKey }: { queryKey: DataTag<QueryKey, Data, Error> },
  answer: NoInfer<Data>,
): void {
  void queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.setQueryData<Data>(queryKey, answer);
}
