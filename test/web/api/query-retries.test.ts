import { expect, it } from "vitest";
import { queryClient } from "../../../web/api/client/query-client.ts";
import { RequestError } from "../../../web/api/client/request-error.ts";

/** How many more times a query is tried that goes on failing so. */
function retriesOf(error: Error): number {
  const { retry } = queryClient.getDefaultOptions().queries ?? {};
  if (typeof retry !== "function") throw new TypeError("queries are retried in another way");
  let failures = 0;
  while (failures < 10 && retry(failures, error)) failures += 1;
  return failures;
}

it.each<[what: string, error: Error, retries: number]>([
  ["without a connection", new RequestError(0, "network"), 3],
  ["beyond the limit of calls", new RequestError(429, "rate_limited"), 3],
  ["where the server fails", new RequestError(500, "internal"), 3],
  ["where the server is closed", new RequestError(503, "maintenance"), 3],
  ["where the request is refused", new RequestError(400, "invalid_request"), 0],
  ["where there is nothing", new RequestError(404, "not_found"), 0],
  ["where the page itself fails", new TypeError("x is undefined"), 0],
])("a query is tried again only where that may help: %s", (_what, error, retries) => {
  expect(retriesOf(error)).toBe(retries);
});
