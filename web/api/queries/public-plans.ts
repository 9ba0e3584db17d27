import { queryOptions } from "@tanstack/react-query";
import { publicPlansResponse } from "../../../worker/contract/money/public-plans.ts";
import { parseResponse, request } from "../client/request.ts";

/** The plans as anybody can buy them now. */
export const publicPlansQuery = queryOptions({
  queryKey: ["public-plans"],
  queryFn: async () => parseResponse(publicPlansResponse, await request("/status/plans")),
  staleTime: 60_000,
});
