import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { OfferHoursDays } from "../../../db/shapes/work/offer-hours.ts";
import {
  cityOfferHoursResponse,
  offerHoursResponse,
  weekResponse,
} from "../../../worker/contract/work/statistics.ts";
import { api } from "../client/client.ts";
import { parseResponse } from "../client/request.ts";

/** GET /flex/v1/offer-hours. The figures of one period stay until those of the other are there. */
export function offerHoursQuery(days: OfferHoursDays) {
  return queryOptions({
    queryKey: ["offer-hours", days],
    queryFn: async () =>
      parseResponse(
        offerHoursResponse,
        await api.flex.v1["offer-hours"].$get({ query: { days: days === 7 ? "7" : "28" } }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** GET /flex/v1/offer-hours/city: figures of all drivers, which change once a day. */
export const cityHoursQuery = queryOptions({
  queryKey: ["city-hours"],
  queryFn: async () => parseResponse(cityOfferHoursResponse, await api.flex.v1["offer-hours"].city.$get()),
  staleTime: 3_600_000,
});

/** The weeks in figures, all of them. */
export const WEEK_KEY = ["week"] as const;

/** A week in figures; the current one if no date is given. */
export const weekQuery = (date?: string) =>
  queryOptions({
    queryKey: [...WEEK_KEY, date ?? "now"],
    queryFn: async () => parseResponse(weekResponse, await api.flex.v1.week.$get({ query: { date } })),
    staleTime: 60_000,
  });
