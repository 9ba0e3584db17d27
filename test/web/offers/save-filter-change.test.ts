import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import { filtersQuery } from "../../../web/api/queries/filters.ts";
import { sessionStore } from "../../../web/api/session/session.ts";
import { saveFilterChange } from "../../../web/features/offers/use-filter-change.ts";
import { BETHPAGE, makeFilters, makeWarehouseFilter } from "../../engine/fixtures.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { type Reply } from "../../support/scripted-network.ts";

let harness: ReturnType<typeof createBrowserHarness>;
beforeEach(() => {
  harness = createBrowserHarness();
  harness.signIn();
  sessionStore.setState(() => undefined);
});
afterEach(() => void vi.unstubAllGlobals());

const GET = "GET /flex/v1/filters";
const PUT = "PUT /flex/v1/filters";
const change: FilterChange = { kind: "min_price", warehouseId: BETHPAGE, cents: 4_000 };
const filtersOf = (minPriceCents: number, minHourlyCents: number) =>
  makeFilters({ minHourlyCents, warehouses: [makeWarehouseFilter({ minPriceCents })] });
const refusal = (status: number, code: string): Reply => ({
  status,
  body: { code, message: { en: "-", es: "-", pt: "-" }, requestId: "1" },
});

/** The filters as this page last read them, and as another device saved them since. */
const known = { complete: true, filters: filtersOf(9_000, 1_000), version: 7 };
const newer = { complete: true, filters: filtersOf(8_000, 2_000), version: 9 };

function knowing(): QueryClient {
  const client = new QueryClient();
  client.setQueryData(filtersQuery.queryKey, known);
  return client;
}
const puts = () =>
  harness.calls
    .filter(({ operation }) => operation === PUT)
    .map(({ body, headers }) => [headers.get("if-match"), body]);

it("makes the change to the filters that the page knows, and keeps those before it", async () => {
  const saved = { complete: true, filters: filtersOf(4_000, 1_000), version: 8 };
  harness.answer({ [PUT]: { body: saved } });
  expect(await saveFilterChange(knowing(), change)).toMatchObject({
    answer: saved,
    made: { change, previous: known.filters, version: 8 },
  });
  expect([puts(), harness.count(GET)]).toEqual([[['"7"', saved.filters]], 0]);
});

it("makes it to the filters that another device saved in the meantime, and leaves theirs as they are", async () => {
  const saved = { complete: true, filters: filtersOf(4_000, 2_000), version: 10 };
  harness.answer({ [GET]: { body: newer }, [PUT]: [refusal(412, "stale_version"), { body: saved }] });
  expect((await saveFilterChange(knowing(), change)).made).toEqual({
    change,
    previous: newer.filters,
    version: 10,
  });
  expect(puts()).toEqual([
    ['"7"', filtersOf(4_000, 1_000)],
    ['"9"', saved.filters],
  ]);
});

it("gives up after the second refusal, and at once for any other reason", async () => {
  harness.answer({ [GET]: { body: newer }, [PUT]: refusal(412, "stale_version") });
  await expect(saveFilterChange(knowing(), change)).rejects.toMatchObject({ code: "stale_version" });
  harness.answer({ [PUT]: refusal(500, "internal") });
  await expect(saveFilterChange(knowing(), change)).rejects.toMatchObject({ code: "internal" });
  expect(harness.count(PUT)).toBe(3);
});
