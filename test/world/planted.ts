import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import type { Plant } from "./plants/plant.ts";
import { PLANTS } from "./plants/plants.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = `${root}.cache/planted`;
const MAX_WEEKS = 400;
/** Of a fleet. */
const MAX_EVENINGS = 6;
const COPIED = ["durable", "db", "locales", "package.json"];
/** The settings of the compiler name all other folders. */
const COPIED_FOR_TESTS = ["test", "worker", "web", "tsconfig.json"];

/**
 * Plants each fault in a copy of the product and lives through weeks until the world finds it. A plant that names a scene
 * is sought in weeks that play it: the others play all of them, each seldom.
 * @returns whether it found all of them
 */
export function findPlants(filter: string, say: (line: string) => void): boolean {
  const results = PLANTS.filter(({ name }) => name.includes(filter)).map((plant) => {
    const line = findPlant(plant);
    say(line);
    return line;
  });
  rmSync(FOLDER, { recursive: true, force: true });
  return results.every((line) => line.startsWith("found"));
}

function findPlant({
  name,
  patches,
  scene,
  asks = false,
  isLimited = false,
  isOfFleet = false,
  test,
  expect,
}: Plant): string {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const part of COPIED) cpSync(`${root}${part}`, `${FOLDER}/${part}`, { recursive: true });
  for (const { file, find, replace } of patches) {
    const text = readFileSync(`${FOLDER}/${file}`, "utf8");
    if (text.split(find).length !== 2) return `NO LONGER FITS: ${name}: ${file} has changed`;
    writeFileSync(
      `${FOLDER}/${file}`,
      text.replace(find, () => replace),
    );
  }
  if (test !== undefined) return findByTest({ name, test, expect });
  const { stdout } = spawnSync(
    process.execPath,
    [
      "test/world/main.ts",
      "--root",
      FOLDER,
      "--from",
      "1",
      "--weeks",
      String(isOfFleet ? MAX_EVENINGS : MAX_WEEKS),
      "--until",
      expect.source,
      ...(scene ? ["--scene", scene] : []),
      ...(asks ? ["--asks"] : []),
      ...(isLimited ? ["--limits"] : []),
      ...(isOfFleet ? ["--kind", "fleet"] : []),
    ],
    { cwd: root, encoding: "utf8" },
  );
  const lines = stdout.split("\n");
  const found = lines.find((line) => line.startsWith("BROKEN") && expect.test(line));
  const weeks = lines.findLast((line) => line.includes(" driver-weeks, "))?.split(" ")[0] ?? "?";
  if (found) return `found after ${weeks} weeks: ${name}: ${found}`;
  return `NOT FOUND in ${MAX_WEEKS} weeks: ${name}`;
}

/** Runs a file of unit tests in the copy, one of which must fail. */
function findByTest({ name, test, expect }: { name: string; test: string; expect: RegExp }): string {
  for (const part of COPIED_FOR_TESTS) cpSync(`${root}${part}`, `${FOLDER}/${part}`, { recursive: true });
  const { stdout } = spawnSync(
    process.execPath,
    [
      `${root}node_modules/vitest/vitest.mjs`,
      "run",
      "--config",
      "test/unit.config.ts",
      "--reporter",
      "verbose",
      test,
    ],
    { cwd: FOLDER, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } },
  );
  const failed = stdout.split("\n").find((line) => / [×✗] /.test(line) && expect.test(line));
  return failed ? `found by ${test}: ${name}: ${failed.trim()}` : `NOT FOUND by ${test}: ${name}`;
}
