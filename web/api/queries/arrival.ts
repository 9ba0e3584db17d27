import { queryOptions } from "@tanstack/react-query";
import { hc } from "hono/client";
import type { Api } from "../../../worker/app.ts";
import {
  checkInResponse,
  imHereResponse,
  nextBlockResponse,
  type CheckInResponse,
  type DevicePosition,
} from "../../../db/shapes/work/check-in.ts";
import { atOwnPace } from "../client/full-jitter.ts";
import { api, requestAsDriver } from "../client/client.ts";
import { parseResponse, request } from "../client/request.ts";

const REFETCH_EVERY_MS = 60_000;

/** GET /flex/v1/user/im-here/data: the token in the URL of the arrived frame. */
export async function fetchArrivalToken(): Promise<string> {
  return (await parseResponse(imHereResponse, await api.flex.v1.user["im-here"].data.$get())).token;
}

/** The next block to check in to, and its warehouse. */
export function nextBlockQuery(token: string | null) {
  return queryOptions({
    queryKey: ["next-block"],
    queryFn: async () => parseResponse(nextBlockResponse, await arrivalApi(token).flex.v1.blocks.next.$get()),
    staleTime: REFETCH_EVERY_MS,
    refetchInterval: atOwnPace(REFETCH_EVERY_MS),
  });
}

/** POST /flex/v1/blocks/{id}/check-in with what the device measured. */
export async function checkIn(
  token: string | null,
  { blockId, fix }: { blockId: string; fix: DevicePosition },
): Promise<CheckInResponse> {
  const { blocks } = arrivalApi(token).flex.v1;
  return parseResponse(
    checkInResponse,
    await blocks[":id"]["check-in"].$post({ param: { id: blockId }, json: fix }),
  );
}

/** Calls the API with the frame's token while that is valid, else as the driver who is signed in here. */
function arrivalApi(token: string | null) {
  return token === null
    ? api
    : hc<Api>("/", {
        fetch: (input: RequestInfo | URL, init?: RequestInit) => requestWithArrivalToken(token, input, init),
      });
}

async function requestWithArrivalToken(
  token: string,
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("authorization", `ImHere ${token}`);
  const response = await request(input, { ...init, headers });
  return response.status === 401 ? requestAsDriver(input, init) : response;
}
