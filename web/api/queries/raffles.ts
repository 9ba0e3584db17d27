import { queryOptions } from "@tanstack/react-query";
import { raffle, rafflesResponse } from "../../../worker/contract/money/raffles.ts";
import { api } from "../client/client.ts";
import { parseResponse, request } from "../client/request.ts";

/** A raffle, for anybody. */
export function raffleQuery(id: string) {
  return queryOptions({
    queryKey: ["raffle", id],
    queryFn: async () => parseResponse(raffle, await request(`/status/raffles/${encodeURIComponent(id)}`)),
    staleTime: 60_000,
  });
}

/** The raffles that the driver is in. */
export const rafflesQuery = queryOptions({
  queryKey: ["raffles"],
  queryFn: async () => parseResponse(rafflesResponse, await api.flex.v1.raffles.$get()),
  staleTime: 10 * 60_000,
});
