import { expect, it } from "vitest";
import { driverId } from "../../db/shapes/units.ts";
import { createDeps } from "../../durable/deps.ts";
import { calendarRoutes } from "../../worker/routes/account/calendar.ts";
import { notificationRoutes } from "../../worker/routes/account/notifications.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";
import { insertDriver } from "../support/driver-insert.ts";
import { appWith, callerOf } from "./app-with.ts";

const DRIVER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");

/** A driver's calls, with an object that keeps nothing, and settings of the deployment. */
function openRoutes(settings: Record<string, string> = {}) {
  const database = migratedDatabase();
  insertDriver(database, { id: DRIVER, humanTimezone: "UTC", proxyInstalled: true });
  const object = { calendar: async () => null, hasPushSubscription: async () => true };
  const DRIVER_OBJECTS = { getByName: () => object };
  const env = { ...DEMO_SETTINGS, ...settings, DB: bindD1(database), DRIVER: DRIVER_OBJECTS, ASSETS: {} };
  const deps = createDeps(env);
  const caller = { ...callerOf(DRIVER), signedInAt: deps.now() };
  const app = appWith({ deps, db: deps.db, userPool: null, caller })
    .route("/calendar", calendarRoutes)
    .route("/", notificationRoutes);
  return async (path: string, init: RequestInit = {}) => {
    const response = await app.request(path, init, env);
    return [response.status, Object(await response.json()).code];
  };
}

it("shows no calendar's address where there is none", async () => {
  expect(await openRoutes()("/calendar/address")).toEqual([404, "not_found"]);
});

it("keeps no browser's push where the deployment sends none", async () => {
  const body = JSON.stringify({
    endpoint: "https://fcm.googleapis.com/fcm/send/1",
    keys: { p256dh: "B".repeat(87), auth: "A".repeat(22) },
  });
  const put = { method: "PUT", headers: { "content-type": "application/json" }, body };
  const settings = { VAPID_PUBLIC_KEY: "", VAPID_PRIVATE_KEY: "", VAPID_SUBJECT: "" };
  expect(await openRoutes()("/push", put)).toEqual([400, "invalid_request"]);
  expect(await openRoutes(settings)("/push", put)).toEqual([404, "not_found"]);
});
