import { expect, it, vi } from "vitest";
import { consoleErrorMessage } from "../../../web/console/calls/operator.ts";
import { meQuery } from "../../../web/console/calls/acts.ts";
import { queryClient } from "../../../web/api/client/query-client.ts";

/** A redirect as a page gets it that doesn't follow it: without status, headers and body. */
function unfollowedRedirect(): Response {
  return Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" });
}

it("reads the redirect of Cloudflare Access to its sign-in as the end of the session, and doesn't retry", async () => {
  const fetched = vi.fn(async (_input: unknown, init: RequestInit) => {
    expect(init.redirect).toBe("manual");
    return unfollowedRedirect();
  });
  vi.stubGlobal("fetch", fetched);
  const error: unknown = await queryClient.fetchQuery(meQuery).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: 401, code: "unauthenticated" });
  expect(consoleErrorMessage(error, null)).toMatch(/^Your session at Cloudflare Access has ended/);
  expect(fetched).toHaveBeenCalledTimes(1);
});
