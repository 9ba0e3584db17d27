import { expect, it, vi } from "vitest";
import { driverId, warehouseId } from "../../db/shapes/units.ts";
import { INITIAL_RULE, NO_LIMITS } from "../../db/shapes/work/filters.ts";
import { createDeps } from "../../durable/deps.ts";
import type { Log } from "../../durable/runtime/log.ts";
import { filterRoutes } from "../../worker/routes/work/filters.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../support/sandbox-client.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";
import { insertDriver } from "../support/driver-insert.ts";
import { appWith, callerOf } from "./app-with.ts";

const DRIVER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");

/** The routes of a driver whose object doesn't answer. */
function openFilters() {
  const database = migratedDatabase();
  insertDriver(database, { id: DRIVER, humanTimezone: "UTC", proxyInstalled: true });
  const overloaded = async () => {
    throw new Error("Durable Object is overloaded.");
  };
  const DRIVER_OBJECTS = { getByName: () => ({ configure: overloaded, knownWarehouses: overloaded }) };
  const env = { ...DEMO_SETTINGS, DB: bindD1(database), DRIVER: DRIVER_OBJECTS, ASSETS: {} };
  const log = vi.fn<Log>();
  const deps = { ...createDeps(env), log };
  const app = appWith({ deps, db: deps.db, caller: callerOf(DRIVER) }).route("/", filterRoutes);
  return {
    log,
    database,
    call: (init: RequestInit = {}) => app.request("/", init, env),
  };
}

it("are saved and shown while the driver's object doesn't answer, as if it knew no warehouses yet", async () => {
  const { call, log } = openFilters();
  const filters = permissiveFilters([permissiveWarehouseFilter(warehouseId.parse("w1"))]);
  const headers = { "if-match": `"0"`, "content-type": "application/json" };
  const saved = await call({ method: "PUT", headers, body: JSON.stringify(filters) });
  expect([saved.status, await saved.json()]).toEqual([200, { filters, version: 1, complete: true }]);
  const shown = await call();
  expect([shown.status, await shown.json()]).toEqual([200, { filters, version: 1, complete: true }]);
  expect(new Set(log.mock.calls.map(([level, event]) => `${level} ${event}`))).toEqual(
    new Set(["warn driver.configure.failed", "warn driver.warehouses.unknown"]),
  );
});

const W1 = warehouseId.parse("w1");
const noLimits = { ...NO_LIMITS };
const sundays = {
  ...INITIAL_RULE,
  ruleId: "k3f9",
  name: " Sundays ",
  hours: { days: [7], start: 0, end: 0 },
};
const vacation = { kind: "off", from: "2099-12-20", to: "2100-01-03" } as const;

/** Saves at a version and returns the status with the response. */
async function put(call: ReturnType<typeof openFilters>["call"], version: number, body: unknown) {
  const headers = { "if-match": `"${version}"`, "content-type": "application/json" };
  const response = await call({ method: "PUT", headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

it("keep rules, limits and dates where a page that doesn't know them saves", async () => {
  const { call } = openFilters();
  const filters = permissiveFilters([permissiveWarehouseFilter(W1, { extraRules: [sundays] })], {
    limits: { ...noLimits, blocksPerDay: 2, weekGoalCents: 80_000 },
    dates: [vacation],
  });
  const trimmed = { ...sundays, name: "Sundays" };
  const [warehouse] = filters.warehouses;
  const expected = { ...filters, warehouses: [{ ...warehouse, extraRules: [trimmed] }] };
  expect((await put(call, 0, filters)).body).toEqual({ filters: expected, version: 1, complete: true });

  const { limits: _limits, dates: _dates, ...known } = filters;
  const { extraRules: _extraRules, ...first } = permissiveWarehouseFilter(W1, { minPriceCents: 7700 });
  expect((await put(call, 1, { ...known, warehouses: [first] })).body).toEqual({
    filters: { ...expected, warehouses: [{ ...first, extraRules: [trimmed] }] },
    version: 2,
    complete: true,
  });
});

it("keep a limit, and a part of a further rule, that a page doesn't know which knows the others", async () => {
  const { call } = openFilters();
  const asks = { ...sundays, name: "Sundays", action: "ask", askSeconds: 90 } as const;
  const limits = { ...noLimits, blocksPerDay: 2, weekGoalCents: 80_000 };
  const filters = permissiveFilters([permissiveWarehouseFilter(W1, { extraRules: [asks] })], { limits });
  expect((await put(call, 0, filters)).status).toBe(200);

  const { weekGoalCents: _goal, ...knownLimits } = { ...limits, blocksPerDay: 3 };
  const { action: _action, askSeconds: _seconds, ...known } = { ...asks, minPriceCents: 7700 };
  const added = { ...known, ruleId: "new1" };
  const warehouses = [{ ...permissiveWarehouseFilter(W1), extraRules: [added, known] }];
  expect((await put(call, 1, { ...filters, limits: knownLimits, warehouses })).body).toMatchObject({
    filters: {
      limits: { ...limits, blocksPerDay: 3 },
      warehouses: [
        {
          extraRules: [
            { ...added, action: "take", askSeconds: INITIAL_RULE.askSeconds },
            { ...asks, minPriceCents: 7700 },
          ],
        },
      ],
    },
  });
});

it("lose dates that are over everywhere", async () => {
  const { call, database } = openFilters();
  const past = [
    { kind: "off", from: "2020-12-20", to: "2021-01-03" },
    { kind: "hours", date: "2021-01-04", start: 0, end: 60 },
    { kind: "week", monday: "2021-01-04", schedule: permissiveFilters([]).schedule },
  ];
  const body = { ...permissiveFilters([permissiveWarehouseFilter(W1)]), dates: [...past, vacation] };
  expect((await put(call, 0, body)).body).toMatchObject({ filters: { dates: [vacation] } });
  database.prepare("UPDATE filters SET dates = ?").run(JSON.stringify([...past, vacation]));
  expect(await (await call()).json()).toMatchObject({ filters: { dates: [vacation] } });
});

it.each<[string, unknown]>([
  ["five further rules", { extraRules: ["a", "b", "c", "d", "e"].map((ruleId) => ({ ...sundays, ruleId })) }],
  ["two rules of one id", { extraRules: [sundays, sundays] }],
  ["a name of 31 letters", { extraRules: [{ ...sundays, name: "n".repeat(31) }] }],
  ["hours of no day", { extraRules: [{ ...sundays, hours: { days: [], start: 0, end: 0 } }] }],
  ["days out of order", { extraRules: [{ ...sundays, hours: { days: [7, 1], start: 0, end: 0 } }] }],
])("are refused with %s", async (_name, change) => {
  const { call } = openFilters();
  const warehouses = [{ ...permissiveWarehouseFilter(W1), ...Object(change) }];
  expect((await put(call, 0, { ...permissiveFilters([]), warehouses })).status).toBe(400);
});

it.each<[string, unknown]>([
  ["no blocks a day", { limits: { ...noLimits, blocksPerDay: 0 } }],
  ["a day of 25 hours", { limits: { ...noLimits, minutesPerDay: 1500 } }],
  ["a vacation that ends before it begins", { dates: [{ ...vacation, to: "2099-12-01" }] }],
  ["a date that is none", { dates: [{ ...vacation, to: "2100-02-30" }] }],
  ["a week from Tuesday", { dates: [{ kind: "week", monday: "2099-12-22", schedule: [] }] }],
  ["61 dates", { dates: Array.from({ length: 61 }, () => vacation) }],
])("are refused as a whole with %s", async (_name, change) => {
  const { call } = openFilters();
  const filters = permissiveFilters([permissiveWarehouseFilter(W1)]);
  expect((await put(call, 0, { ...filters, ...Object(change) })).status).toBe(400);
});

it.each(["", "a b", "a".repeat(25), "é"])("with a rule whose id is '%s' are refused", async (ruleId) => {
  const { call } = openFilters();
  const extraRules = [{ ...INITIAL_RULE, ruleId, name: "", hours: null }];
  const rule = { ...permissiveWarehouseFilter(warehouseId.parse("w1")), extraRules };
  const headers = { "if-match": `"0"`, "content-type": "application/json" };
  const put = (body: unknown) => call({ method: "PUT", headers, body: JSON.stringify(body) });
  expect((await put(permissiveFilters([rule]))).status).toBe(400);
  const named = { ...rule, extraRules: extraRules.map((one) => ({ ...one, ruleId: "A-z_0" })) };
  expect((await put(permissiveFilters([named]))).status).toBe(200);
});
