import { execFile } from "node:child_process";
import { fileURLToPath, URL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";

const root = fileURLToPath(new URL("../../..", import.meta.url));

describe("a kill around each of 320 captures", () => {
  /** Lost texts, by the part that lost them. */
  const losses: number[] = [];

  it.each([1, 2, 3, 4])("sends no text twice, part %i", async (seed) => {
    // A process of its own: the clock and the timers in it are the simulation's.
    const node = `${root}/node_modules/.bin/node`;
    const { stdout } = await promisify(execFile)(node, ["test/world/texts/text-kills.ts", `${seed}`], {
      cwd: root,
    });
    const shape = z.object({ captured: z.int(), kills: z.int(), lost: z.int(), doubled: z.int() });
    const { captured, kills, lost, doubled } = shape.parse(JSON.parse(stdout));
    expect([captured, kills, doubled]).toEqual([80, 80, 0]);
    losses.push(lost);
  });

  it("loses at most one text of all", () => {
    expect(losses).toHaveLength(4);
    expect(losses.reduce((sum, lost) => sum + lost, 0)).toBeLessThanOrEqual(1);
  });
});
