import { queryOptions } from "@tanstack/react-query";
import {
  checkInResponse,
  imHereResponse,
  nextBlockResponse,
  type CheckInResponse,
  type DevicePosition,
} from "../../db/shapes/check-in.ts";
import { parseResponse, request, requestAsDriver } from "./client.ts";

const REFETCH_EVERY_MS = 60_000;

/** GET /flex/v1/user/im-here/data: for the arrived frame's address. */
export async function fetchArrivalToken(): Promise<string> {
  return (await parseResponse(imHereResponse, await requestAsDriver("/flex/v1/user/im-here/data"))).token;
}

/** The block to arrive at, and where. */
export function nextBlockQuery(token: string | null) {
  return queryOptions({
    queryKey: ["next-block"],
    queryFn: async () =>
      parseResponse(nextBlockResponse, await requestWithArrivalToken(token, "/flex/v1/blocks/next")),
    staleTime: REFETCH_EVERY_MS,
    refetchInterval: REFETCH_EVERY_MS,
  });
}

/** POST /flex/v1/blocks/{id}/check-in with what the device measured. */
export async function checkIn(
  token: string | null,
  { blockId, fix }: { blockId: string; fix: DevicePosition },
): Promise<CheckInResponse> {
  const response = await requestWithArrivalToken(token, `/flex/v1/blocks/${blockId}/check-in`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(fix),
  });
  return parseResponse(checkInResponse, response);
}

/** With the frame's token while it is good, else in the name of who is signed in here. */
async function requestWithArrivalToken(
  token: string | null,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  if (token === null) return requestAsDriver(path, init);
  const headers = new Headers(init.headers);
  headers.set("authorization", `ImHere ${token}`);
  const response = await request(path, { ...init, headers });
  return response.status === 401 ? requestAsDriver(path, init) : response;
}
