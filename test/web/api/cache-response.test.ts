import { QueryClient, queryOptions } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { cacheResponse } from "../../../web/api/client/query-client.ts";

/** A query whose read is answered when the test says so. */
function createHeldQuery() {
  const answer = Promise.withResolvers<string>();
  return { query: queryOptions({ queryKey: ["held"], queryFn: () => answer.promise }), answer };
}

it.each([
  ["the first read", undefined],
  ["a later read", "before"],
])("keeps the answer to a change over %s, sent before it and answered after it", async (_what, known) => {
  const client = new QueryClient();
  const { query, answer } = createHeldQuery();
  if (known !== undefined) client.setQueryData(query.queryKey, known);
  const read = client.fetchQuery({ ...query, staleTime: 0 });
  cacheResponse(client, query, "after");
  answer.resolve("before");
  expect(await read).toBe("after");
  expect(client.getQueryData(query.queryKey)).toBe("after");
});

it("leaves other queries' reads alone", async () => {
  const client = new QueryClient();
  const { query, answer } = createHeldQuery();
  const read = client.fetchQuery(query);
  const other = queryOptions({ queryKey: ["held", "other"], queryFn: () => Promise.resolve("") });
  cacheResponse(client, other, "after");
  answer.resolve("read");
  expect(await read).toBe("read");
});
