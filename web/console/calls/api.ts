import { hc } from "hono/client";
import type { ConsoleApi } from "../../../worker/app.ts";
import { BOOKMARK_HEADER } from "../../../worker/contract/headers.ts";
import { currentBookmark, saveBookmark } from "../../api/client/bookmark.ts";
import { atOwnPace } from "../../api/client/full-jitter.ts";
import { RequestError } from "../../api/client/request-error.ts";
import { request } from "../../api/client/request.ts";

/** The pause between two requests for a list, while the page is visible. */
export const LIST_MS = atOwnPace(15_000);

/** The console's API. Cloudflare Access knows the operator by a cookie. */
export const api = hc<ConsoleApi>("/", {
  fetch: async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    const bookmark = currentBookmark();
    if (bookmark !== null) headers.set(BOOKMARK_HEADER, bookmark);
    const response = await request(input, { ...init, headers, redirect: "manual" });
    // Where the session has ended, Access answers with a redirect to its sign-in, of which a page learns nothing else.
    if (response.type === "opaqueredirect") throw new RequestError(401, "unauthenticated");
    saveBookmark(response.headers.get(BOOKMARK_HEADER));
    return response;
  },
}).ops.v1;

/** Follows the cursor of a list from page to page. */
export const PAGES = {
  initialPageParam: null as string | null,
  getNextPageParam: ({ cursor }: { cursor: string | null }) => cursor,
  staleTime: 0,
};
