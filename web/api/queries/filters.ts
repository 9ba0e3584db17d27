import { queryOptions } from "@tanstack/react-query";
import {
  filtersResponse,
  type FiltersResponse,
  warehousesResponse,
} from "../../../worker/contract/work/filters.ts";
import type { Filters } from "../../../db/shapes/work/filters.ts";
import { api } from "../client/client.ts";
import { JUST_FETCHED_MS } from "../client/query-client.ts";
import { parseResponse } from "../client/request.ts";

export const filtersQuery = queryOptions({
  queryKey: ["filters"],
  queryFn: async () => parseResponse(filtersResponse, await api.flex.v1.filters.$get()),
});

export const warehousesQuery = queryOptions({
  queryKey: ["warehouses"],
  queryFn: async () => parseResponse(warehousesResponse, await api.flex.v1.warehouses.$get()),
  // The platform opens and closes warehouses; the server asks it no more often than every five minutes. Parts of a screen whose
  // loader has just fetched them don't repeat it.
  refetchOnMount: ({ state }) => (Date.now() - state.dataUpdatedAt < JUST_FETCHED_MS ? false : "always"),
});

/**
 * PUT /flex/v1/filters.
 * @throws {RequestError} `stale_version` if another save happened since `version`
 */
export async function putFilters(filters: Filters, version: number): Promise<FiltersResponse> {
  const response = await api.flex.v1.filters.$put({ json: filters, header: { "if-match": `"${version}"` } });
  return parseResponse(filtersResponse, response);
}
