import { queryOptions } from "@tanstack/react-query";
import {
  checkInAnswer,
  imHereAnswer,
  nextBlockAnswer,
  type CheckInAnswer,
  type DevicePosition,
} from "../../worker/contract/arrival.ts";
import { answer, request, send } from "./client.ts";

const LOOK_EVERY_MS = 60_000;

/** GET /flex/v1/user/im-here/data: for the arrived frame's address. */
export async function readImHere(): Promise<string> {
  return (await answer(imHereAnswer, await send("/flex/v1/user/im-here/data"))).token;
}

/** The block to arrive at, and where. */
export function nextBlockQuery(token: string | null) {
  return queryOptions({
    queryKey: ["next-block"],
    queryFn: async () => answer(nextBlockAnswer, await call(token, "/flex/v1/blocks/next")),
    staleTime: LOOK_EVERY_MS,
    refetchInterval: LOOK_EVERY_MS,
  });
}

/** POST /flex/v1/blocks/{id}/check-in with what the device measured. */
export async function checkIn(
  token: string | null,
  { blockId, fix }: { blockId: string; fix: DevicePosition },
): Promise<CheckInAnswer> {
  const response = await call(token, `/flex/v1/blocks/${blockId}/check-in`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(fix),
  });
  return answer(checkInAnswer, response);
}

/** With the frame's token while it is good, else in the name of who is signed in here. */
async function call(token: string | null, path: string, init: RequestInit = {}): Promise<Response> {
  if (token === null) return send(path, init);
  const headers = new Headers(init.headers);
  headers.set("authorization", `ImHere ${token}`);
  const response = await request(path, { ...init, headers });
  return response.status === 401 ? send(path, init) : response;
}
