import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { expect, it } from "vitest";
import { isRoomy } from "../support/runtime/memory-folder.ts";

const MEMORY = "/dev/shm";
const SCRIPT = `
  const { useMemoryFolder } = await import("./test/support/runtime/memory-folder.ts");
  useMemoryFolder();
  useMemoryFolder();
  console.log(process.env.TMPDIR, process.pid);
`;

/** The folder for temporary files that a process gets, and its id. */
function run(TMPDIR?: string): string[] {
  const env = { PATH: process.env["PATH"], ...(TMPDIR === undefined ? {} : { TMPDIR }) };
  const args = ["--input-type=module", "--eval", SCRIPT];
  return execFileSync(process.execPath, args, { env, encoding: "utf8" }).trim().split(" ");
}

it.runIf(isRoomy())("a run's temporary files are in memory, and are gone when it ends", () => {
  // A killed run left this: no process has such an id.
  const leftover = `${MEMORY}/jornada-tests-99999999`;
  mkdirSync(leftover, { recursive: true });
  const [folder, pid] = run();
  expect(folder).toBe(`${MEMORY}/jornada-tests-${pid}`);
  expect([existsSync(`${folder}`), existsSync(leftover)]).toEqual([false, false]);
});

it("a run's temporary files are where TMPDIR says, if it does", () => {
  expect(run("/tmp")[0]).toBe("/tmp");
});
