import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { warehousesQuery } from "../../../web/api/queries/filters.ts";
import { loadWarehouseNames } from "../../../web/features/offers/warehouses.ts";

let client: QueryClient;
beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient();
});
afterEach(() => {
  client.clear();
  vi.useRealTimers();
});

/** The call for the warehouses, answered once the test says so. */
function answerLater() {
  const { promise, resolve } = Promise.withResolvers<void>();
  vi.spyOn(client, "prefetchQuery").mockReturnValue(promise);
  return resolve;
}

async function isDoneAfter(loading: Promise<void>, ms: number): Promise<boolean> {
  let isDone = false;
  void loading.then(() => (isDone = true));
  await vi.advanceTimersByTimeAsync(ms);
  return isDone;
}

it("holds a list until its warehouses can be named", async () => {
  const answer = answerLater();
  const loading = loadWarehouseNames(client);
  expect(await isDoneAfter(loading, 500)).toBe(false);
  answer();
  expect(await isDoneAfter(loading, 0)).toBe(true);
});

it("holds it no longer than a moment, and not at all where they are known", async () => {
  answerLater();
  const loading = loadWarehouseNames(client);
  expect([await isDoneAfter(loading, 900), await isDoneAfter(loading, 200)]).toEqual([false, true]);
  client.setQueryData(warehousesQuery.queryKey, { region: null, warehouses: [] });
  expect(await isDoneAfter(loadWarehouseNames(client), 0)).toBe(true);
});
