import { execFile } from "node:child_process";
import { fileURLToPath, URL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import * as z from "zod/mini";

const root = fileURLToPath(new URL("../../..", import.meta.url));
/** Five a second for five minutes. */
const ALLOWED = 5 * 300;

const counts = z.object({ answered: z.int(), refused: z.int(), secondAfterMs: z.int() });

it("uses 85 % of five a second and is refused no more than once where a limit shrinks, through the whole object", async () => {
  // A process of its own: the clock and the timers in it are the simulation's.
  const node = `${root}/node_modules/.bin/node`;
  const { stdout } = await promisify(execFile)(node, ["test/world/counts/quota-use.ts"], { cwd: root });
  const shape = z.object({
    fiveASecond: z.record(z.string(), counts),
    shrinking: z.record(z.string(), counts),
  });
  const { fiveASecond, shrinking } = shape.parse(JSON.parse(stdout));
  for (const [kind, { answered, refused, secondAfterMs }] of Object.entries(fiveASecond)) {
    expect(answered, kind).toBeGreaterThanOrEqual(0.85 * ALLOWED);
    expect(refused, kind).toBeLessThanOrEqual(1);
    expect(secondAfterMs, kind).toBeLessThanOrEqual(4_000);
  }
  expect(Object.keys(fiveASecond)).toEqual(["fixed", "sliding"]);
  for (const [kind, { answered, refused }] of Object.entries(shrinking)) {
    expect(refused, kind).toBe(1);
    expect(answered, kind).toBeGreaterThan(500);
  }
  expect(Object.keys(shrinking)).toHaveLength(4);
});
