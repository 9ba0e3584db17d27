import { hc } from "hono/client";
import type { Api } from "../../../worker/app.ts";
import { request } from "./request.ts";

/** Calls of somebody who opened a link in a text. The link's token goes into a header, never into an address. */
export function linkApi(scheme: "Undo" | "Link", token: string) {
  return hc<Api>("/", {
    fetch: (input: RequestInfo | URL, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set("authorization", `${scheme} ${token}`);
      return request(input, { ...init, headers });
    },
  });
}
