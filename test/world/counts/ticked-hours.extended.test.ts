import { execFile } from "node:child_process";
import { fileURLToPath, URL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { TICKER_DOLLARS } from "../../bench/price-list.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
/** How many drivers at least share a ticker where one pays well. */
const DRIVERS = 100;

const counts = z.object({
  polls: z.int(),
  alarms: z.int(),
  alarmsSet: z.int(),
  calls: z.int(),
  dollars: z.number(),
  longestGapMs: z.number(),
  nextGapMs: z.number(),
  errors: z.int(),
});

it("a driver whom a ticker calls has an alarm in half a minute, which polls on where the ticker is lost", async () => {
  // A process of its own: the clock and the timers in it are the simulation's.
  const node = `${root}/node_modules/.bin/node`;
  const { stdout } = await promisify(execFile)(node, ["test/world/counts/ticked-hours.ts"], { cwd: root });
  const counted = counts.parse(JSON.parse(stdout));

  expect(counted.errors).toBe(0);
  expect(counted.polls).toBeGreaterThan(14_000);
  expect(counted.calls / counted.polls).toBeLessThan(1);
  // One for a call that came late: between 1 and 89 of these polls, by the latencies of a seed.
  expect(counted.alarms / counted.polls).toBeLessThan(0.01);
  expect(counted.alarmsSet).toBeLessThan(2.1 * 60 * 8);
  expect(counted.dollars + TICKER_DOLLARS / DRIVERS).toBeLessThanOrEqual(0.35);
  // The alarm behind the next call is a minute away at most; the object asks for a ticker again then.
  expect(counted.longestGapMs).toBeLessThan(65_000);
  expect(counted.nextGapMs).toBeLessThan(5_000);
});
