import { execFile } from "node:child_process";
import { fileURLToPath, URL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import * as z from "zod/mini";

const root = fileURLToPath(new URL("../../..", import.meta.url));

it("lets objects that a deployment replaced at once ask D1 one after the other", async () => {
  // A process of its own: the clock and the timers in it are the simulation's.
  const node = `${root}/node_modules/.bin/node`;
  const { stdout } = await promisify(execFile)(node, ["test/world/counts/deploy.ts"], { cwd: root });
  const askedAfterMs = z.array(z.array(z.int())).parse(JSON.parse(stdout));
  expect(askedAfterMs.map((asked) => asked.length)).toEqual([1, 1, 1, 1]);
  // Without turns of their own: all within three seconds.
  expect(new Set(askedAfterMs.flat().map((ms) => Math.floor(ms / 10_000))).size).toBe(4);
});
