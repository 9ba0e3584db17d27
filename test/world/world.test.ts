import { execFile } from "node:child_process";
import { fileURLToPath, URL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { RUN_SEED } from "../support/run-seed.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const run = (...args: string[]) =>
  // A process of its own: the clock and the timers in it are the simulation's.
  promisify(execFile)(`${root}/node_modules/.bin/node`, ["test/world/main.ts", ...args], { cwd: root }).catch(
    (error: { stdout: string; stderr: string }) => ({ stdout: `${error.stdout}${error.stderr}` }),
  );

it("keeps every invariant through half a minute of driver-weeks and a day of thousands of polls, others for each commit", async () => {
  const { stdout } = await run("--seconds", "25", "--from", String(RUN_SEED));
  expect(stdout).toMatch(/driver-weeks/);
  expect(stdout).toMatch(/day: \d+ polls/);
  expect(stdout).not.toMatch(/BROKEN|never met|Error/);
});
