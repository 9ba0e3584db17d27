import { queryOptions } from "@tanstack/react-query";
import {
  cityHoursResponse,
  type CitiesSpan,
  fleetDriversResponse,
  fleetResponse,
  type FleetListName,
  type FleetSpan,
} from "../../../worker/contract/console/fleet.ts";
import { atOwnPace } from "../../api/client/full-jitter.ts";
import { parseResponse } from "../../api/client/request.ts";
import { api, LIST_MS } from "./api.ts";

const CITIES_MS = atOwnPace(60_000);

/** The states of all drivers' objects, polled while the page is visible. */
export function fleetQuery(span: FleetSpan) {
  return queryOptions({
    queryKey: ["fleet", span],
    queryFn: async () => parseResponse(fleetResponse, await api.fleet.$get({ query: { span } })),
    refetchInterval: LIST_MS,
    staleTime: 0,
  });
}

export function fleetDriversQuery(list: FleetListName) {
  return queryOptions({
    queryKey: ["fleet-drivers", list],
    queryFn: async () =>
      parseResponse(fleetDriversResponse, await api.fleet.drivers.$get({ query: { in: list } })),
    refetchInterval: LIST_MS,
    staleTime: 0,
  });
}

/** Each city's hours, polled while the page is visible. */
export function cityHoursQuery(span: CitiesSpan) {
  return queryOptions({
    queryKey: ["city-hours", span],
    queryFn: async () => parseResponse(cityHoursResponse, await api.fleet.cities.$get({ query: { span } })),
    refetchInterval: CITIES_MS,
    staleTime: 0,
  });
}
