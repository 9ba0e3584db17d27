import { queryOptions } from "@tanstack/react-query";
import { hc } from "hono/client";
import type { Api } from "../../../worker/app.ts";
import { undoResponse } from "../../../worker/contract/account/undo.ts";
import { fetchConfig } from "../client/client.ts";
import { errorCodeOf } from "../client/request-error.ts";
import { parseResponse, request, requireOk } from "../client/request.ts";
import { currentToken } from "../session/session.ts";

const RETRIES = 3;

/** The change that the link in a text undoes. */
export function undoQuery(token: string) {
  return queryOptions({
    queryKey: ["undo", token],
    queryFn: async () => parseResponse(undoResponse, await undoApi(token).flex.v1.undo.$get()),
    retry: (failures, error) => failures < RETRIES && errorCodeOf(error) !== "undo_expired",
    // Once it is undone the link is used up, and there is nothing more to ask for.
    staleTime: Infinity,
  });
}

/** POST /flex/v1/undo. Where its account was signed in here, it no longer is. */
export async function undoChange(token: string): Promise<void> {
  await requireOk(await undoApi(token).flex.v1.undo.$post());
  const { identity } = await fetchConfig();
  await currentToken(identity, { now: Date.now(), force: true }).catch(() => null);
}

/** Calls with the token in a header: it is written into no address. */
function undoApi(token: string) {
  return hc<Api>("/", {
    fetch: (input: RequestInfo | URL, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set("authorization", `Undo ${token}`);
      return request(input, { ...init, headers });
    },
  });
}
