import { beforeEach, describe, expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { listErrorGroups } from "../../db/queries/operators/error-groups.ts";
import { driverId, MINUTE_MS } from "../../db/shapes/units.ts";
import { createDeps } from "../../durable/deps.ts";
import { errorReportRoutes, visitorErrorRoutes } from "../../worker/routes/error-reports.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";
import { appWith, callerOf } from "./app-with.ts";

const database = migratedDatabase();
const ANA = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");
const ERROR = {
  caller: "page",
  name: "TypeError",
  message: "no such block",
  stack: "TypeError\n    at render (https://jornada.example/assets/feed-Bx3f9_2a.js:1:3812)",
};

let now = Date.parse("2026-11-21T12:00:00Z");
let logged: (readonly unknown[])[];
let isDown: boolean;

beforeEach(() => {
  // A limit holds for a minute, in the whole isolate.
  now += 2 * MINUTE_MS;
  logged = [];
  isDown = false;
  database.exec("DELETE FROM error_groups; DELETE FROM error_group_versions");
});

function report(path: "/visitor" | "/driver", from?: string, body: object = ERROR): Promise<Response> {
  const db = openDb(bindD1(isDown ? brokenDatabase() : database));
  const deps = {
    ...createDeps({ ...DEMO_SETTINGS, DB: {}, DRIVER: {}, ASSETS: {} }),
    db,
    now: () => now,
    log: (...line: unknown[]) => void logged.push(line),
  };
  const caller = { ...callerOf(ANA), signedInAt: now };
  // A driver's report is sealed, and was opened ahead.
  const app = appWith({ deps, requestId: "request-1", sealAhead: Promise.resolve(body), caller })
    .route("/visitor", visitorErrorRoutes)
    .route("/driver", errorReportRoutes);
  const headers = { "content-type": "application/json", ...(from && { "cf-connecting-ip": from }) };
  return Promise.resolve(app.request(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

function brokenDatabase() {
  const broken = migratedDatabase();
  broken.exec("DROP TABLE error_groups");
  return broken;
}

const groups = async () => (await listErrorGroups(openDb(bindD1(database)), 90)).groups;

describe("an error of a page", () => {
  it("is grouped for operators, with a driver's message, and without a visitor's", async () => {
    expect((await report("/driver")).status).toBe(204);
    const { caller, name, stack } = ERROR;
    expect((await report("/visitor", "203.0.113.1", { caller, name, stack })).status).toBe(204);
    const found = (await groups()).map(({ message, place }) => ({ message, place }));
    expect(found).toHaveLength(2);
    expect(found).toContainEqual({ message: "no such block", place: "render feed.js" });
    expect(found).toContainEqual({ message: null, place: "render feed.js" });
  });

  it("is logged where the database fails, and that it fails, too", async () => {
    isDown = true;
    expect((await report("/driver")).status).toBe(204);
    expect(logged.map(([level, event]) => [level, event])).toEqual([
      ["error", "page.error.reported"],
      ["warn", "page.error.group.failed"],
    ]);
  });

  it("is taken ten times a minute from a driver", async () => {
    const statuses = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await report("/driver")).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 204), 429]);
  });

  it("is taken five times a minute from a visitor's address, and sixty times from all", async () => {
    const { message: _message, ...visitors } = ERROR;
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1)
      statuses.push((await report("/visitor", "203.0.113.1", visitors)).status);
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
    for (let host = 2; host <= 56; host += 1)
      expect((await report("/visitor", `203.0.113.${host}`, visitors)).status).toBe(204);
    expect((await report("/visitor", "203.0.113.57", visitors)).status).toBe(429);
  });
});
