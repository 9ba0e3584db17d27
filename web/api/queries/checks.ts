import { queryOptions } from "@tanstack/react-query";
import { checksResponse } from "../../../worker/contract/work/setup.ts";
import { api } from "../client/client.ts";
import { parseResponse } from "../client/request.ts";

/** The current state of everything that a capture needs. */
export const checksQuery = queryOptions({
  queryKey: ["checks"],
  queryFn: async () => parseResponse(checksResponse, await api.flex.v1.checks.$get()),
  staleTime: 0,
});
