import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ROOT } from "./documents.ts";

/** The rows of a document's table, as cells, without its head. */
function rowsOf(path: string): string[][] {
  const lines = readFileSync(`${ROOT}${path}`, "utf8").split("\n");
  const rows = lines.filter((line) => line.startsWith("| ")).map((line) => line.split("|").slice(1, -1));
  return rows
    .slice(1)
    .filter(([first = ""]) => !first.includes("---"))
    .map((cells) => cells.map((cell) => cell.trim()));
}

/** Rows of requirements that no test of ours can see: where there is nothing to meet, or Cloudflare meets it. */
const WITHOUT_TEST = ["n/a", "platform"];

it.each([
  ["worker/decisions/threats.md", 15],
  ["worker/decisions/asvs.md", 100],
])("names for each row of %s a test that exists and tests something", (path, least) => {
  const rows = rowsOf(path);
  expect(rows.length).toBeGreaterThanOrEqual(least);
  for (const cells of rows) {
    if (cells.at(-1) === "—") {
      expect([cells[0], WITHOUT_TEST.includes(cells[1] ?? "")]).toEqual([cells[0], true]);
      continue;
    }
    const [, file = ""] = /^`(test\/[\w./-]+\.test\.ts)`$/.exec(cells.at(-1) ?? "") ?? [];
    expect([cells[0], existsSync(`${ROOT}${file}`) && file !== ""]).toEqual([cells[0], true]);
    expect(readFileSync(`${ROOT}${file}`, "utf8")).toMatch(/\b(?:it|test)(?:\.\w+)?\(/);
  }
});

/** How many requirements of levels 1 and 2 each chapter of ASVS 5.0.0 has. */
const REQUIREMENTS = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

it("says of each requirement of ASVS, levels 1 and 2, once how it is met, or why not", () => {
  const counts = REQUIREMENTS.map(() => 0);
  const named = new Set<string>();
  for (const [requirement = "", met = "", how = ""] of rowsOf("worker/decisions/asvs.md")) {
    expect([requirement, ["yes", "partly", "no", "platform", "n/a"].includes(met), how !== ""]).toEqual([
      requirement,
      true,
      true,
    ]);
    for (const [, chapter, section, first, last = first] of requirement.matchAll(
      /(\d+)\.(\d+)\.(\d+)(?:–\d+\.\d+\.(\d+))?/g,
    ))
      for (let number = Number(first); number <= Number(last); number += 1) {
        expect(named).not.toContain(`${chapter}.${section}.${number}`);
        named.add(`${chapter}.${section}.${number}`);
        counts[Number(chapter) - 1] = (counts[Number(chapter) - 1] ?? 0) + 1;
      }
  }
  expect(counts).toEqual(REQUIREMENTS);
});
