import { execFile } from "node:child_process";
import { fileURLToPath, URL } from "node:url";
import type { Ended } from "./means.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Runs a program of this folder, and stops it at its limit. Never throws. */
export function runProgram(program: readonly string[], limitMs: number): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      program,
      // Nobody is there to answer a question of it.
      { cwd: ROOT, timeout: limitMs, env: { ...process.env, CI: "1" } },
      (error, output) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
        resolve({ code, output });
      },
    );
    child.stdin?.end();
  });
}
