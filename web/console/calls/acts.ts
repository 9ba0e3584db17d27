import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { DriverId } from "../../../db/shapes/units.ts";
import {
  limitsResponse,
  actResponse,
  actsResponse,
  meResponse,
  type ActResponse,
  requestsResponse,
  type DecisionInput,
} from "../../../worker/contract/console/operators.ts";
import type { DeploymentAct, DriverAct } from "../../../worker/contract/console/operator-acts.ts";
import {
  exportResponse,
  type ExportOrder,
  type ExportResponse,
} from "../../../worker/contract/console/operator-exports.ts";
import { parseResponse } from "../../api/client/request.ts";
import { noteServerTime } from "../../early/server-clock.ts";
import { api, LIST_MS, PAGES } from "./api.ts";

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async () => {
    const askedAt = Date.now();
    const me = await parseResponse(meResponse, await api.me.$get());
    if (me.now !== undefined) noteServerTime(me.now, askedAt);
    return me;
  },
});

export const actsQuery = infiniteQueryOptions({
  queryKey: ["acts"],
  queryFn: async ({ pageParam }) =>
    parseResponse(
      actsResponse,
      await api.acts.$get({ query: pageParam === null ? {} : { cursor: pageParam } }),
    ),
  ...PAGES,
});

/** Acts that wait for an owner's approval, and the latest decisions. */
export const requestsQuery = queryOptions({
  queryKey: ["requests"],
  queryFn: async () => parseResponse(requestsResponse, await api.requests.$get()),
  refetchInterval: LIST_MS,
  staleTime: 0,
});

/** The limits that operators reached in the last day, for owners. */
export const limitsQuery = queryOptions({
  queryKey: ["limits"],
  queryFn: async () => parseResponse(limitsResponse, await api.limits.$get()),
});

/** Does an act. The key is the same one when it is sent again. */
export async function postAct(id: DriverId, key: string, act: DriverAct): Promise<ActResponse> {
  const response = await api.drivers[":id"].acts.$post({
    param: { id },
    header: { "idempotency-key": key },
    json: act,
  });
  return parseResponse(actResponse, response);
}

/** Does an act on the whole deployment. */
export async function postDeploymentAct(key: string, act: DeploymentAct): Promise<ActResponse> {
  const response = await api.acts.$post({ header: { "idempotency-key": key }, json: act });
  return parseResponse(actResponse, response);
}

/** Decides a request. */
export async function postDecision(key: string, id: string, decision: DecisionInput): Promise<ActResponse> {
  const response = await api.requests[":id"].$post({
    param: { id },
    header: { "idempotency-key": key },
    json: decision,
  });
  return parseResponse(actResponse, response);
}

/** Requests the rows of a table for a file. */
export async function postExport(key: string, order: ExportOrder): Promise<ExportResponse> {
  const response = await api.exports.$post({ header: { "idempotency-key": key }, json: order });
  return parseResponse(exportResponse, response);
}
