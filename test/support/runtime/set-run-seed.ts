import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";

const MAX_SEED = 2 ** 31;

/**
 * Sets `SEED`, from which all that a run draws follows, unless it is set: of one commit always the same, so that what passed
 * for it passes again, and of the next commit another. With PROPERTIES=whole, and outside of a repository, any.
 */
export function setRunSeed(root: string): void {
  process.env["SEED"] ||= String(
    (process.env["PROPERTIES"] === "whole" ? null : seedOfCommit(root)) ?? randomInt(MAX_SEED),
  );
}

function seedOfCommit(root: string): number | null {
  try {
    const tree = execFileSync("git", ["rev-parse", "HEAD^{tree}"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return Number.parseInt(tree.slice(0, 8), 16) % MAX_SEED;
  } catch {
    return null;
  }
}
