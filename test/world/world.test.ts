import { execFile } from "node:child_process";
import { fileURLToPath, URL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

it("keeps every invariant through half a minute of driver-weeks, other ones each time", async () => {
  // A process of its own: the clock and the timers in it are the simulation's.
  const { stdout } = await promisify(execFile)(
    `${root}/node_modules/.bin/node`,
    ["test/world/main.ts", "--seconds", "25"],
    { cwd: root },
  ).catch((error: { stdout: string; stderr: string }) => ({ stdout: `${error.stdout}${error.stderr}` }));
  expect(stdout).toMatch(/driver-weeks/);
  expect(stdout).not.toMatch(/BROKEN|never met|Error/);
});
