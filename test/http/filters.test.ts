import { Hono } from "hono";
import { expect, it, vi } from "vitest";
import { driverId, warehouseId } from "../../db/shapes/units.ts";
import { createDeps } from "../../durable/deps.ts";
import type { Log } from "../../durable/runtime/log.ts";
import { answerError } from "../../worker/http/errors/answer-error.ts";
import type { AppEnv } from "../../worker/http/app-env.ts";
import { filterRoutes } from "../../worker/routes/work/filters.ts";
import { migratedDatabase } from "../support/migrated-database.ts";
import { bindD1 } from "../support/node-d1.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../support/sandbox-client.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";

const DRIVER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");

/** The routes of a driver whose object doesn't answer. */
function openFilters() {
  const database = migratedDatabase();
  database
    .prepare(
      `INSERT INTO users (id, phone_number, name, language, mode, switched_on, waiting_for_spot, referral, human_timezone, proxy_installed, revision, created_at)
       VALUES (?, '+15550100100', 'Ana', 'en', 'lucrative', 0, 0, 'jornada', 'UTC', 1, 1, 0)`,
    )
    .run(DRIVER);
  const overloaded = async () => {
    throw new Error("Durable Object is overloaded.");
  };
  const DRIVER_OBJECTS = { getByName: () => ({ configure: overloaded, knownWarehouses: overloaded }) };
  const env = { ...DEMO_SETTINGS, DB: bindD1(database), DRIVER: DRIVER_OBJECTS, ASSETS: {} };
  const log = vi.fn<Log>();
  const deps = { ...createDeps(env), log };
  const app = new Hono<AppEnv>()
    .use(async (c, next) => {
      c.set("deps", deps);
      c.set("db", deps.db);
      c.set("caller", { driverId: DRIVER, phoneNumber: null, sessionId: null, signedInAt: null });
      await next();
    })
    .onError(answerError)
    .route("/", filterRoutes);
  return {
    log,
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
