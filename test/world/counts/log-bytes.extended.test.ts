import { execFile } from "node:child_process";
import { fileURLToPath, URL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import * as z from "zod/mini";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const MOST_BYTES_A_MONTH = 8_000_000;

it("stores at most 8 MB in a month of days with 240 offers, two hours in turbo mode and six in lucrative mode", async () => {
  // A process of its own: the clock and the timers in it are the simulation's.
  const node = `${root}/node_modules/.bin/node`;
  const { stdout } = await promisify(execFile)(node, ["test/world/counts/log-bytes.ts"], { cwd: root });
  const shape = z.object({ offers: z.int(), polls: z.int(), bytesAMonth: z.int() });
  const { offers, polls, bytesAMonth } = shape.parse(JSON.parse(stdout));
  expect(offers).toBe(240);
  expect(polls).toBeGreaterThan(10_000);
  expect(bytesAMonth).toBeGreaterThan(1_000_000);
  expect(bytesAMonth).toBeLessThanOrEqual(MOST_BYTES_A_MONTH);
});
