import { queryOptions } from "@tanstack/react-query";
import { pauseResponse, type PauseResponse } from "../../../db/shapes/money/pause.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { lostDaysResponse } from "../../../worker/contract/money/service.ts";
import { api } from "../client/client.ts";
import { parseResponse } from "../client/request.ts";

/** The driver's current pause of service, and the pauses that the year still allows. */
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

/** The driver's days with lost time; each day may add one. */
export const lostDaysQuery = queryOptions({
  queryKey: ["lost-days"],
  queryFn: async () => parseResponse(lostDaysResponse, await api.flex.v1["lost-days"].$get()),
  staleTime: HOUR_MS,
});
