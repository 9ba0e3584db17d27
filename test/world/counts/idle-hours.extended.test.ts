import { execFile } from "node:child_process";
import { fileURLToPath, URL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import * as z from "zod/mini";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const counts = z.object({
  polls: z.int(),
  alarms: z.int(),
  alarmsSet: z.int(),
  rows: z.int(),
  d1Statements: z.int(),
});

it("sets one alarm a poll and writes next to nothing while no offers come, also where it leaves memory between polls", async () => {
  // A process of its own: the clock and the timers in it are the simulation's.
  const node = `${root}/node_modules/.bin/node`;
  const { stdout } = await promisify(execFile)(node, ["test/world/counts/idle-hours.ts"], { cwd: root });
  const shape = z.object({
    everyThreeSeconds: counts,
    beforeChecks: counts,
    inFormerRegion: counts,
    askingWithinLimits: counts,
    everyThirteenSeconds: counts,
  });
  const {
    everyThreeSeconds: often,
    beforeChecks,
    inFormerRegion,
    askingWithinLimits: asking,
    everyThirteenSeconds: seldom,
  } = shape.parse(JSON.parse(stdout));

  expect(often.polls).toBeGreaterThan(1_000);
  // Each that fires sets the next one, once.
  expect(often.alarmsSet / often.alarms).toBeCloseTo(1, 2);
  expect(often.alarms / often.polls).toBeLessThan(1.02);
  expect(often.rows).toBeLessThanOrEqual(20);
  // Once an hour the revision. Counts and heartbeats go to the watcher.
  expect(often.d1Statements).toBeLessThanOrEqual(2);

  // A check that is due tomorrow costs no row, no alarm and no statement.
  expect(beforeChecks).toEqual(often);

  // An object of a former region asks once an hour whether its driver has left it, though it leaves memory after each poll.
  expect([seldom.d1Statements, inFormerRegion.d1Statements]).toEqual([1, 2]);

  expect(seldom.polls).toBeGreaterThan(250);
  expect(seldom.alarmsSet / seldom.alarms).toBeCloseTo(1, 2);
  // One for the poll, one for the blocks that are read between two.
  expect(seldom.alarms / seldom.polls).toBeLessThan(2.02);
  // A quota of five a minute must be known whenever the object is lost, so each poll is stored before and after. Index
  // rows count.
  expect(seldom.rows / seldom.polls).toBeLessThanOrEqual(8.5);
  expect(seldom.d1Statements).toBeLessThanOrEqual(2);
  // Neither rules that ask, while no offer comes, nor limits cost anything.
  expect(asking).toEqual(seldom);
});
