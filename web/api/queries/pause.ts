import { queryOptions } from "@tanstack/react-query";
import { pauseResponse, type PauseResponse } from "../../../db/shapes/money/pause.ts";
import { api } from "../client/client.ts";
import { parseResponse } from "../client/request.ts";

/** The pause of the driver's service that runs, and what the year still has. */
export const pauseQuery = queryOptions({
  queryKey: ["pause"],
  queryFn: async () => parseResponse(pauseResponse, await api.flex.v1.pause.$get()),
  staleTime: 0,
});

/** POST /flex/v1/pause. */
export async function beginPause(days: number): Promise<PauseResponse> {
  return parseResponse(pauseResponse, await api.flex.v1.pause.$post({ json: { days } }));
}

/** DELETE /flex/v1/pause. */
export async function endPause(): Promise<PauseResponse> {
  return parseResponse(pauseResponse, await api.flex.v1.pause.$delete());
}
