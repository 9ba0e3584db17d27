import { expect, it } from "vitest";
import { driverId } from "../../db/shapes/units.ts";
import { createDeps } from "../../durable/deps.ts";
import type { CalendarRead } from "../../durable/runtime/driver-rpc.ts";
import { calendarRoutes } from "../../worker/routes/account/calendar.ts";
import { at } from "../engine/fixtures.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";
import { appWith, callerOf } from "./app-with.ts";

const DRIVER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");
const FEED = "6f0c6f6e-5f0e-4c0c-9d56-0123456789ab";
/** Evening in New York, where it is still the tenth. */
const EVENING = at("2026-06-10T21:00:00-04:00");

/** The line of a paused calendar, by what the driver's object says. */
async function pausedLine(fields: { timeZone?: string }): Promise<string | undefined> {
  const read: CalendarRead = { kind: "paused", language: "en", since: EVENING - 1000, ...fields };
  const DRIVER_OBJECTS = { getByName: () => ({ readCalendar: async () => read }) };
  const env = { ...DEMO_SETTINGS, DB: bindD1(migratedDatabase()), DRIVER: DRIVER_OBJECTS, ASSETS: {} };
  const deps = { ...createDeps(env), log: () => {}, now: () => EVENING };
  const app = appWith({ deps, calendarFeedId: FEED, caller: callerOf(DRIVER) }).route("/", calendarRoutes);
  const file = await (await app.request("/feed/any.ics", {}, env)).text();
  return file.split("\r\n").find((line) => line.startsWith("DTSTART"));
}

it("says on the driver's today that it is paused, also in an evening that is the next day in UTC", async () => {
  expect(await pausedLine({ timeZone: "America/New_York" })).toBe("DTSTART;VALUE=DATE:20260610");
  // As an object of the release before answers, and one whose zone the runtime doesn't know.
  expect(await pausedLine({})).toBe("DTSTART;VALUE=DATE:20260611");
  expect(await pausedLine({ timeZone: "America/Founded_Tomorrow" })).toBe("DTSTART;VALUE=DATE:20260611");
});
