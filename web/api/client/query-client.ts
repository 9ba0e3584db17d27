import { QueryClient, type DataTag, type QueryKey } from "@tanstack/react-query";
import { fullJitter } from "./full-jitter.ts";
import { RequestError } from "./request-error.ts";

const MAX_RETRIES = 3;
/** The limit of the first wait, which doubles from there. */
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 30_000;
/** Parts of a screen that mount this soon after a load don't repeat it. */
export const JUST_FETCHED_MS = 2_000;
/** A part that mounts this soon after a failed load shows the failure; a press, or a later mount, tries again. */
const JUST_FAILED_MS = 10_000;

/** Without a connection a call fails at once; it isn't made some time later, when nobody expects it any more. */
export const CALL_DEFAULTS = { networkMode: "always" } as const;

export const queryClient = new QueryClient({
  defaultOptions: {
    mutations: CALL_DEFAULTS,
    queries: {
      staleTime: 5 * 60_000,
      gcTime: 10 * 60_000,
      retry: (failures, error) => failures < MAX_RETRIES && isRetryable(error),
      retryDelay: (failures) =>
        fullJitter({ failures, baseMs: FIRST_RETRY_MS, capMs: MAX_RETRY_MS }, Math.random()),
      retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > JUST_FAILED_MS,
      refetchOnWindowFocus: true,
      refetchOnReconnect: true,
    },
  },
});

/** Only a lost connection or a 5xx may succeed on a retry; any other error is final. */
function isRetryable(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  return error.status === 0 || error.status === 429 || error.status >= 500;
}

/**
 * Puts the server's response to a change into the cache. A read that is still in flight may have been answered before the
 * change, so its response is dropped.
 */
export function cacheResponse<Data>(
  queryClient: QueryClient,
  { queryKey }: { queryKey: DataTag<QueryKey, Data, Error> },
  answer: NoInfer<Data>,
): void {
  void queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.setQueryData<Data>(queryKey, answer);
}
