import { execFile } from "node:child_process";
import { fileURLToPath, URL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import * as z from "zod/mini";

const root = fileURLToPath(new URL("../../..", import.meta.url));

it("loses at most one text of 320 captures with a kill around each, and sends none twice", async () => {
  // A process of its own: the clock and the timers in it are the simulation's.
  const node = `${root}/node_modules/.bin/node`;
  const { stdout } = await promisify(execFile)(node, ["test/world/texts/text-kills.ts"], { cwd: root });
  const shape = z.object({ captured: z.int(), kills: z.int(), lost: z.int(), doubled: z.int() });
  const { captured, kills, lost, doubled } = shape.parse(JSON.parse(stdout));
  expect([captured, kills, doubled]).toEqual([320, 320, 0]);
  expect(lost).toBeLessThanOrEqual(1);
});
