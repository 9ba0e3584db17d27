import { expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { addErrorReport, listErrorGroups } from "../../db/queries/operators/error-groups.ts";
import { driverId } from "../../db/shapes/units.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const POOL = 200;
const reporter = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");

function openReports() {
  const database = migratedDatabase();
  const db = openDb(bindD1(database));
  const report = (id: string, at: number, message: string | null) =>
    addErrorReport(db, {
      id,
      caller: "page",
      name: "Error",
      message,
      place: null,
      requestId: "r",
      stack: null,
      driverId: message === null ? null : reporter,
      version: "1",
      at,
    });
  return { database, db, report };
}

it("keeps what drivers report in sight of whatever visitors make up", async () => {
  const { database, db, report } = openReports();
  const count = (where: string) =>
    database.prepare(`SELECT count(*) AS n FROM error_groups WHERE ${where}`).get()?.["n"];
  await report("driver-1", 1, "broken");
  await report("seen-twice", 2, null);
  await report("seen-twice", 3, null);
  for (let at = 0; at < POOL + 60; at += 1) await report(`visitor-${at}`, 10 + at, null);
  // The oldest with one report went, and what came twice stayed.
  expect(count("message IS NULL")).toBe(POOL);
  expect(count("id = 'seen-twice'")).toBe(1);
  expect([count("id = 'visitor-0'"), count(`id = 'visitor-${POOL + 59}'`)]).toEqual([0, 1]);
  expect(database.prepare("SELECT count(*) AS n FROM error_group_versions").get()?.["n"]).toBe(POOL + 1);
  await report("driver-2", 1000, "also broken");
  const { groups: listed, hasMore } = await listErrorGroups(db, 90);
  expect(listed.filter(({ message }) => message !== null).map(({ id }) => id)).toEqual([
    "driver-2",
    "driver-1",
  ]);
  expect(listed).toHaveLength(22);
  expect(hasMore).toBe(true);
});

it("lists the latest of drivers and of visitors up to its limit, and says whether there are more", async () => {
  const { db, report } = openReports();
  for (let at = 0; at < 70; at += 1) await report(`driver-${at}`, at, "broken");
  for (let at = 0; at < 20; at += 1) await report(`visitor-${at}`, at, null);
  const all = await listErrorGroups(db, 90);
  expect([all.groups.length, all.hasMore]).toEqual([90, false]);
  await report("driver-70", 70, "broken");
  const latest = await listErrorGroups(db, 90);
  expect([latest.groups.length, latest.hasMore]).toEqual([90, true]);
  expect(latest.groups.some(({ id }) => id === "driver-0")).toBe(false);
});
