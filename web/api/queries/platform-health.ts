import { queryOptions } from "@tanstack/react-query";
import { platformHealthResponse } from "../../../worker/contract/platform-health.ts";
import { atOwnPace } from "../client/full-jitter.ts";
import { parseResponse, request } from "../client/request.ts";

/** The server counts each minute. */
const REFRESH_MS = 60_000;

/** How the platform treats drivers in each city. */
export const platformHealthQuery = queryOptions({
  queryKey: ["platform-health"],
  queryFn: async () => parseResponse(platformHealthResponse, await request("/status/platform")),
  refetchInterval: () => atOwnPace(REFRESH_MS),
  staleTime: REFRESH_MS,
});
