import { expect, it } from "vitest";
import { openDb } from "../../../db/client.ts";
import { saveFleetReports } from "../../../db/queries/fleet/reports.ts";
import { emptyCityCounts } from "../../../db/shapes/city-counts.ts";
import { emptyTally, type FleetReport } from "../../../db/shapes/fleet.ts";
import { driverId } from "../../../db/shapes/units.ts";
import { ReportQueue } from "../../../durable/watch/report-queue.ts";
import { insertDriver } from "../../support/driver-insert.ts";
import { openStorage } from "../../support/watchers.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";

const DRIVER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");
const HOUR = 500_000;

const reportOf = (captures: number): FleetReport => ({
  driverId: DRIVER,
  tallies: [{ hour: HOUR, tally: { ...emptyTally(), captures }, city: { ...emptyCityCounts(), captures } }],
  state: { state: "polling", since: 1, at: 2 },
});

function open() {
  const database = migratedDatabase();
  insertDriver(database, { id: DRIVER });
  const db = openDb(bindD1(database));
  const queue = new ReportQueue(openStorage());
  const captured = (table: string) =>
    database.prepare(`SELECT sum(captures) AS captures FROM ${table}`).get()?.["captures"];
  return {
    queue,
    flush: () => queue.flush((reports) => saveFleetReports(db, reports)),
    captured: () => [captured("fleet_hours"), captured("city_hours")],
  };
}

it("stores what waited, once", async () => {
  const { queue, flush, captured } = open();
  queue.add(reportOf(1));
  queue.add(reportOf(2));
  await flush();
  await flush();
  expect([queue.isEmpty, captured()]).toEqual([true, [3, 3]]);
});

it("stores reports of releases that count less, or more, and those after them", async () => {
  const { queue, flush, captured } = open();
  const [first] = reportOf(1).tallies;
  const { timedOut: _tally, ...tally } = first!.tally;
  const { softBlocks: _city, ...city } = first!.city;
  const older = { ...reportOf(1), tallies: [{ hour: HOUR, tally, city }] };
  const newer = {
    ...reportOf(2),
    tallies: [
      {
        hour: HOUR,
        tally: { ...emptyTally(), captures: 2, moons: 1 },
        city: { ...emptyCityCounts(), captures: 2, moons: 1 },
      },
    ],
  };
  for (const report of [older, newer, reportOf(4)]) queue.add(report as FleetReport);
  await flush();
  expect([queue.isEmpty, captured()]).toEqual([true, [7, 7]]);
});

it("leaves out a report that it can't read, and stores those behind it", async () => {
  const { queue, flush, captured } = open();
  queue.add(reportOf(1));
  queue.add({ ...reportOf(2), tallies: undefined } as unknown as FleetReport);
  queue.add(reportOf(4));
  expect(await flush()).toBe(1);
  expect([queue.isEmpty, captured()]).toEqual([true, [5, 5]]);
});
