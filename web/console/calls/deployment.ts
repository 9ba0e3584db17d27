import { queryOptions } from "@tanstack/react-query";
import type { NewListPrice } from "../../../worker/contract/console/operator-acts.ts";
import {
  citiesResponse,
  pricePreview,
  pricesResponse,
  raffleListResponse,
} from "../../../worker/contract/console/operator-deployment.ts";
import { raffle } from "../../../worker/contract/money/raffles.ts";
import { parseResponse } from "../../api/client/request.ts";
import { api } from "./api.ts";

export const pricesQuery = queryOptions({
  queryKey: ["prices"],
  queryFn: async () => parseResponse(pricesResponse, await api.prices.$get()),
  staleTime: 0,
});

/** The future prices for drivers if a list price were set: a preview that writes nothing. */
export function pricePreviewQuery({ plan, priceCents, startsAt }: NewListPrice) {
  return queryOptions({
    queryKey: ["price-preview", plan, priceCents, startsAt],
    queryFn: async () => {
      const query = { plan, priceCents: String(priceCents) };
      const at = startsAt === null ? {} : { startsAt: String(startsAt) };
      return parseResponse(pricePreview, await api.prices.preview.$get({ query: { ...query, ...at } }));
    },
    staleTime: 0,
    retry: false,
  });
}

export const citiesQuery = queryOptions({
  queryKey: ["cities"],
  queryFn: async () => parseResponse(citiesResponse, await api.cities.$get()),
  staleTime: 0,
});

export const raffleListQuery = queryOptions({
  queryKey: ["raffles"],
  queryFn: async () => parseResponse(raffleListResponse, await api.raffles.$get()),
  staleTime: 0,
});

/** A raffle's public part. */
export function publishedRaffleQuery(id: string) {
  return queryOptions({
    queryKey: ["raffle", id],
    queryFn: async () => parseResponse(raffle, await api.raffles[":id"].$get({ param: { id } })),
    staleTime: 0,
  });
}
