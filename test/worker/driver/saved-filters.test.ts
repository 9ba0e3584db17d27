import { beforeEach, describe, expect, it } from "vitest";
import type { FiltersResponse } from "../../../worker/contract/work/filters.ts";
import type { ErrorResponse } from "../../../worker/contract/error-response.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../../support/sandbox-client.ts";
import { createLinkedDriver, resetPlatform, createDriver } from "../harness.ts";

beforeEach(() => resetPlatform());

async function problemOf(answer: Response): Promise<ErrorResponse> {
  return answer.json<ErrorResponse>();
}

describe("filters", () => {
  it("are stored with a version, so that a second tab can't overwrite them", async () => {
    const driver = await createLinkedDriver();
    const mine = permissiveFilters(
      driver.warehouseIds.toSorted().map((id) => permissiveWarehouseFilter(id, { bufferMinutes: 45 })),
      {
        minHourlyCents: 2200,
      },
    );
    const saved = await driver.client.saveFilters(mine);
    const stale = await driver.client.call("PUT", "/flex/v1/filters", {
      body: permissiveFilters([permissiveWarehouseFilter(driver.warehouseIds[0]!)]),
      headers: { "if-match": `"0"` },
    });
    const read = await driver.client.filters();

    expect(saved).toEqual({ filters: mine, version: 1, complete: true } satisfies FiltersResponse);
    expect([stale.status, (await problemOf(stale)).code]).toEqual([412, "stale_version"]);
    expect(read).toEqual(saved);
  });

  it("saved concurrently by two tabs are those of one tab, unmixed", async () => {
    const driver = await createLinkedDriver();
    const tabs = [1000, 2000, 3000, 4000].map((minPriceCents) =>
      permissiveFilters(driver.warehouseIds.map((id) => permissiveWarehouseFilter(id, { minPriceCents }))),
    );
    const answers = await Promise.all(
      tabs.map((body) =>
        driver.client.call("PUT", "/flex/v1/filters", { body, headers: { "if-match": `"0"` } }),
      ),
    );
    const { filters } = await driver.client.filters();

    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 412, 412, 412]);
    expect(new Set(filters.warehouses.map((rule) => rule.minPriceCents)).size).toBe(1);
    expect(filters.warehouses).toHaveLength(driver.warehouseIds.length);
  });

  const good = permissiveWarehouseFilter("w1" as never);
  it.each([
    [
      "a price of nothing",
      permissiveFilters([{ ...good, minPriceCents: 0 }]),
      "warehouses.0.minPriceCents",
      "too_small",
    ],
    [
      "a price too high",
      permissiveFilters([{ ...good, minPriceCents: 1_000_000 }]),
      "warehouses.0.minPriceCents",
      "too_large",
    ],
    [
      "a buffer over a day",
      permissiveFilters([{ ...good, bufferMinutes: 1441 }]),
      "warehouses.0.bufferMinutes",
      "too_large",
    ],
    [
      "a negative hourly minimum",
      permissiveFilters([{ ...good, minHourlyCents: -1 }]),
      "warehouses.0.minHourlyCents",
      "too_small",
    ],
    [
      "no warehouse selected",
      permissiveFilters([{ ...good, selected: false }]),
      "warehouses",
      "none_selected",
    ],
    ["one warehouse twice", permissiveFilters([good, good]), "warehouses", "invalid"],
    ["a week without days", { ...permissiveFilters([good]), schedule: [] }, "schedule", "too_small"],
  ])("are rejected with %s, naming the field", async (_name, body, field, fault) => {
    const { client } = await createDriver();
    const answer = await client.call("PUT", "/flex/v1/filters", { body, headers: { "if-match": `"0"` } });
    const { code, fields } = await problemOf(answer);
    expect([answer.status, code, fields?.[field]]).toEqual([400, "invalid_request", fault]);
    expect((await client.filters()).version).toBe(0);
  });
});
