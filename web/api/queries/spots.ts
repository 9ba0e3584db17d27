import { queryOptions } from "@tanstack/react-query";
import {
  citySpotsResponse,
  spotResponse,
  type Spot,
  type SpotResponse,
} from "../../../worker/contract/money/service.ts";
import { atOwnPace } from "../client/full-jitter.ts";
import { api } from "../client/client.ts";
import { parseResponse, request } from "../client/request.ts";

/** The line moves when somebody else acts, so the place that the page shows is at most this old. */
const LINE_POLL_MS = 60_000;

/** The spots that are left in each city that has a limit. */
export const citySpotsQuery = queryOptions({
  queryKey: ["city-spots"],
  queryFn: async () => parseResponse(citySpotsResponse, await request("/status/spots")),
  staleTime: LINE_POLL_MS,
});

/** The driver's spot, or their place in line. */
export const spotQuery = queryOptions({
  queryKey: ["spot"],
  queryFn: async () => parseResponse(spotResponse, await api.flex.v1.spot.$get()),
  refetchInterval: ({ state }) => (isInLine(state.data?.spot ?? null) ? atOwnPace(LINE_POLL_MS) : false),
  staleTime: 0,
});

/** POST /flex/v1/spot/take: takes the spot that is kept for the driver. */
export async function takeSpot(): Promise<SpotResponse> {
  return parseResponse(spotResponse, await api.flex.v1.spot.take.$post());
}

/** POST /flex/v1/spot/join: a spot if there is room, else a place at the end of the line. */
export async function joinLine(): Promise<SpotResponse> {
  return parseResponse(spotResponse, await api.flex.v1.spot.join.$post());
}

function isInLine(spot: Spot | null): boolean {
  return spot?.status === "waiting" || spot?.status === "offered";
}
