import { execFile } from "node:child_process";
import { fileURLToPath, URL } from "node:url";
import { promisify } from "node:util";
import { expect } from "vitest";
import { RUN_SEED } from "../support/run-seed.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Weeks of one kind, from a seed on: that of the run, if none is named. */
export type Soak = { kind: "week" | "day" | "long" | "fleet"; weeks: number; from?: number };

/** Lives through them, in a process of its own, whose clock and timers are the simulation's. */
export async function liveThrough({ kind, weeks, from = RUN_SEED }: Soak): Promise<void> {
  const { stdout } = await promisify(execFile)(
    `${root}/node_modules/.bin/node`,
    ["test/world/main.ts", "--kind", kind, "--weeks", `${weeks}`, "--from", `${from}`],
    { cwd: root },
  ).catch((error: { stdout: string; stderr: string }) => ({ stdout: `${error.stdout}${error.stderr}` }));
  expect(stdout).not.toMatch(/BROKEN|never met|Error/);
  expect(stdout).toContain(`\n${weeks} driver-weeks, `);
}
