import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import type { Plant } from "./plants/plant.ts";
import { PLANTS } from "./plants/plants.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = `${root}.cache/planted`;
const MAX_WEEKS = 400;
const COPIED = ["durable", "db", "locales", "package.json"];

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

function findPlant({ name, patches, scene, expect }: Plant): string {
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
  const { stdout } = spawnSync(
    process.execPath,
    [
      "test/world/main.ts",
      "--root",
      FOLDER,
      "--from",
      "1",
      "--weeks",
      String(MAX_WEEKS),
      "--until",
      expect.source,
      ...(scene ? ["--scene", scene] : []),
    ],
    { cwd: root, encoding: "utf8" },
  );
  const lines = stdout.split("\n");
  const found = lines.find((line) => line.startsWith("BROKEN") && expect.test(line));
  const weeks = lines.findLast((line) => line.includes(" driver-weeks, "))?.split(" ")[0] ?? "?";
  if (found) return `found after ${weeks} weeks: ${name}: ${found}`;
  return `NOT FOUND in ${MAX_WEEKS} weeks: ${name}`;
}
