import { queryOptions } from "@tanstack/react-query";
import type { DriverId } from "../../../db/shapes/units.ts";
import {
  driverLiveResponse,
  driverPage,
  driverSearchResponse,
} from "../../../worker/contract/console/operator-drivers.ts";
import { atOwnPace } from "../../api/client/full-jitter.ts";
import { parseResponse } from "../../api/client/request.ts";
import { api } from "./api.ts";

const LIVE_MS = atOwnPace(5_000);
/** Less than that would find everybody. */
const SHORTEST_QUERY = 2;

export function searchQuery(q: string) {
  return queryOptions({
    queryKey: ["search", q],
    enabled: q.length >= SHORTEST_QUERY,
    queryFn: async () => parseResponse(driverSearchResponse, await api.drivers.$get({ query: { q } })),
    staleTime: 0,
  });
}

export function driverQuery(id: DriverId) {
  return queryOptions({
    queryKey: ["driver", id],
    queryFn: async () => parseResponse(driverPage, await api.drivers[":id"].$get({ param: { id } })),
    staleTime: 0,
  });
}

/** The state of the driver's object, polled every few seconds. */
export function liveQuery(id: DriverId) {
  return queryOptions({
    queryKey: ["live", id],
    queryFn: async () =>
      parseResponse(driverLiveResponse, await api.drivers[":id"].live.$get({ param: { id } })),
    refetchInterval: LIVE_MS,
    staleTime: 0,
  });
}
