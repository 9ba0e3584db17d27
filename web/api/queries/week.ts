import { queryOptions } from "@tanstack/react-query";
import { weekResponse } from "../../../worker/contract/work/statistics.ts";
import { api } from "../client/client.ts";
import { parseResponse } from "../client/request.ts";

/** A week in figures; the present one if no date is given. */
export const weekQuery = (date?: string) =>
  queryOptions({
    queryKey: ["week", date ?? "now"],
    queryFn: async () =>
      parseResponse(weekResponse, await api.flex.v1.week.$get({ query: date === undefined ? {} : { date } })),
    staleTime: 60_000,
  });
