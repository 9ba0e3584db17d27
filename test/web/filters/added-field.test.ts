import { getTableColumns, type Column } from "drizzle-orm";
import { customType, integer, sqliteTable } from "drizzle-orm/sqlite-core";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import type * as driverSchema from "../../../db/schema/drivers.ts";
import type * as filterShapes from "../../../db/shapes/work/filters.ts";
import { driverId, warehouseId } from "../../../db/shapes/units.ts";
import { createDeps } from "../../../durable/deps.ts";
import { makeOffer, makeProfile, makeWarehouse, matchContext, NOON } from "../../engine/fixtures.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../../support/sandbox-client.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { insertDriver } from "../../support/driver-insert.ts";

const DRIVER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");
const [FIRST, SECOND] = [warehouseId.parse("w1"), warehouseId.parse("w2")];

/** The additional field of a warehouse's filter. */
type Added = { mostStops?: number };

// A field that exists in memory alone: in its one declaration, and in the table.
beforeEach(() => {
  vi.resetModules();
  vi.doMock("../../../db/shapes/work/filters.ts", async (importOriginal) => {
    const original = await importOriginal<typeof filterShapes>();
    const mostStops = z._default(z.int().check(z.nonnegative()), 99);
    const warehouseFilter = z.object({ ...original.warehouseFilter.shape, mostStops });
    return {
      ...original,
      warehouseFilter,
      filters: z.object({ ...original.filters.shape, warehouses: z.array(warehouseFilter) }),
      FILTER_FIELDS: z.keyof(warehouseFilter).options,
      FIGURE_UNITS: { ...original.FIGURE_UNITS, mostStops: "minutes" },
      INITIAL_RULE: { ...original.INITIAL_RULE, mostStops: 30 },
    };
  });
  vi.doMock("../../../db/schema/drivers.ts", async (importOriginal) => {
    const original = await importOriginal<typeof driverSchema>();
    const columns = Object.entries(getTableColumns(original.warehouseFilters));
    return {
      ...original,
      warehouseFilters: sqliteTable("warehouse_filters", {
        ...Object.fromEntries(columns.map(([key, column]) => [key, columnLike(column)])),
        mostStops: integer("most_stops"),
      }),
    };
  });
});

afterEach(() => {
  vi.doUnmock("../../../db/shapes/work/filters.ts");
  vi.doUnmock("../../../db/schema/drivers.ts");
  vi.resetModules();
});

function columnLike(column: Column) {
  return customType({
    dataType: () => column.getSQLType(),
    toDriver: (value) => column.mapToDriverValue(value),
    fromDriver: (stored) => column.mapFromDriverValue(stored),
  })(column.name);
}

/** The routes, on a database that has the column. */
async function openFilters() {
  const { filterRoutes } = await import("../../../worker/routes/work/filters.ts");
  const database = migratedDatabase();
  database.exec("ALTER TABLE warehouse_filters ADD most_stops integer");
  insertDriver(database, { id: DRIVER, humanTimezone: "UTC", proxyInstalled: true });
  const unavailable = async () => {
    throw new Error("Durable Object is overloaded.");
  };
  const DRIVER_OBJECTS = { getByName: () => ({ configure: unavailable, knownWarehouses: unavailable }) };
  const env = { ...DEMO_SETTINGS, DB: bindD1(database), DRIVER: DRIVER_OBJECTS, ASSETS: {} };
  const deps = { ...createDeps(env), log: () => {} };
  const { appWith, callerOf } = await import("../../http/app-with.ts");
  const app = appWith({ deps, db: deps.db, caller: callerOf(DRIVER) }).route("/", filterRoutes);
  const { filtersResponse } = await import("../../../worker/contract/work/filters.ts");
  const read = async (response: Response) => z.parse(filtersResponse, await response.json()).filters;
  return {
    database,
    put: async (filters: unknown, version: number) =>
      read(
        await app.request(
          "/",
          {
            method: "PUT",
            headers: { "if-match": `"${version}"`, "content-type": "application/json" },
            body: JSON.stringify(filters),
          },
          env,
        ),
      ),
    get: async () => read(await app.request("/", {}, env)),
  };
}

const rule = (id: typeof FIRST, added: Added = {}) => ({ ...permissiveWarehouseFilter(id), ...added });
it("is saved and read back, and stands for its default where a row doesn't have it", async () => {
  const { put, get, database } = await openFilters();
  const saved = await put(
    permissiveFilters([rule(FIRST, { mostStops: 12 }), rule(SECOND, { mostStops: 7 })]),
    0,
  );
  expect(saved.warehouses).toMatchObject([{ mostStops: 12 }, { mostStops: 7 }]);
  database.exec("UPDATE warehouse_filters SET most_stops = NULL WHERE warehouse_id = 'w2'");
  const { warehouses } = await get();
  expect(warehouses).toMatchObject([
    { mostStops: 12, selected: true },
    { mostStops: 99, selected: true },
  ]);
});

it("is kept where a page that doesn't know it saves", async () => {
  const { put } = await openFilters();
  await put(permissiveFilters([rule(FIRST, { mostStops: 12 })]), 0);
  const saved = await put(permissiveFilters([{ ...rule(FIRST), minPriceCents: 7700 }, rule(SECOND)]), 1);
  expect(saved.warehouses).toMatchObject([{ minPriceCents: 7700, mostStops: 12 }, { mostStops: 99 }]);
});

it("is edited, stored in a draft, merged and saved like every other field", async () => {
  const { draftSchema, newRule, toDraft, withRule } = await import("../../../web/features/filters/draft.ts");
  const { draftToFilters, findIssues } = await import("../../../web/features/filters/draft-issues.ts");
  const { findDifferences, mergeDrafts, proposeSide } =
    await import("../../../web/features/filters/merge.ts");
  expect(newRule(FIRST)).toMatchObject({ mostStops: 30 });
  const saved = permissiveFilters([rule(FIRST, { mostStops: 12 }), rule(SECOND, { mostStops: 7 })]);
  const base = toDraft(saved, [FIRST, SECOND]);
  const mine = withRule(base, rule(FIRST, { mostStops: 20 }));
  const theirs = withRule(base, { ...rule(SECOND, { mostStops: 7 }), minPriceCents: 9900 });
  const differences = findDifferences({ base, mine, theirs });
  expect(differences.map(({ key, changedBy }) => [key, changedBy])).toEqual([
    ["warehouse w1", "mine"],
    ["warehouse w2", "theirs"],
  ]);
  const merged = mergeDrafts(mine, differences, proposeSide);
  expect(draftToFilters(merged)?.warehouses).toMatchObject([
    { mostStops: 20 },
    { mostStops: 7, minPriceCents: 9900 },
  ]);
  const unfinished = { ...mine, warehouses: [{ ...mine.warehouses[0], mostStops: null }] };
  expect(z.parse(draftSchema, unfinished).warehouses).toMatchObject([{ mostStops: null }]);
  expect(findIssues(z.parse(draftSchema, unfinished))).toEqual({ "w1.mostStops": "buffer_invalid" });
  const early = { ...base, warehouses: [permissiveWarehouseFilter(FIRST)] };
  expect(z.parse(draftSchema, early).warehouses).toMatchObject([{ mostStops: 99 }]);
});

it("survives every change of the filters, and reaches what offers are judged by", async () => {
  const { filterChange } = await import("../../../db/shapes/work/filter-change.ts");
  const { applyFilterChange } = await import("../../../db/shapes/work/apply-filter-change.ts");
  const { compileFilters } = await import("../../../durable/engine/verdicts/compiled-filters.ts");
  const { judgeOffer } = await import("../../../durable/engine/verdicts/match.ts");
  const saved = permissiveFilters([rule(FIRST, { mostStops: 12 })]);
  const changes = [
    { kind: "min_price", warehouseId: FIRST, cents: 1 },
    { kind: "min_hourly", warehouseId: null, cents: 0 },
    { kind: "notice", warehouseId: null, minutes: 0 },
    { kind: "length", warehouseId: null, minutes: 60 },
    { kind: "select", warehouseId: FIRST },
  ].map((change) => z.parse(filterChange, change));
  const changed = changes.reduce(applyFilterChange, saved);
  expect(changed.warehouses).toMatchObject([{ mostStops: 12 }]);
  const warehouses = [makeWarehouse({ warehouseId: FIRST })];
  const compiled = compileFilters(makeProfile({ filters: changed }), warehouses);
  expect(compiled.warehousesById.get(FIRST)?.requirements).toMatchObject({ mostStops: 12 });
  expect(judgeOffer(makeOffer("a", { warehouseId: FIRST }), matchContext(compiled, NOON)).reasons).toEqual(
    [],
  );
});

it("does not compile where it isn't read", async () => {
  const { expectNothingLeft } = await import("../../../db/shapes/work/filters.ts");
  expectNothingLeft({});
  // @ts-expect-error a field is left
  expectNothingLeft({ mostStops: 12 });
});
