import { execFile } from "node:child_process";
import { fileURLToPath, URL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import * as z from "zod/mini";

const root = fileURLToPath(new URL("../../..", import.meta.url));
/** The simulated storage makes a transaction durable within so long, and seldom within the longer one. */
const COMMIT_MS = 4;
const LONGEST_COMMIT_MS = 60;

it("awaits nothing between the answer to an accept and the frame to an open page but that the capture is durable", async () => {
  // A process of its own: the clock and the timers in it are the simulation's.
  const node = `${root}/node_modules/.bin/node`;
  const { stdout } = await promisify(execFile)(node, ["test/world/counts/told-trips.ts"], { cwd: root });
  const shape = z.object({ frames: z.int(), mostTrips: z.int(), medianMs: z.int(), longestMs: z.int() });
  const { frames, mostTrips, medianMs, longestMs } = shape.parse(JSON.parse(stdout));
  expect([frames, mostTrips]).toEqual([40, 0]);
  // Any trip takes longer.
  expect(medianMs).toBeLessThanOrEqual(COMMIT_MS);
  expect(longestMs).toBeLessThanOrEqual(LONGEST_COMMIT_MS);
});
