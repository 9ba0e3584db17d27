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

it.each([
  ["worker/decisions/threats.md", 15],
  ["worker/decisions/asvs.md", 30],
])("names for each row of %s a test that exists and tests something", (path, least) => {
  const rows = rowsOf(path);
  expect(rows.length).toBeGreaterThanOrEqual(least);
  for (const cells of rows) {
    const [, file = ""] = /^`(test\/[\w./-]+\.test\.ts)`$/.exec(cells.at(-1) ?? "") ?? [];
    expect([cells[0], existsSync(`${ROOT}${file}`) && file !== ""]).toEqual([cells[0], true]);
    expect(readFileSync(`${ROOT}${file}`, "utf8")).toMatch(/\b(?:it|test)(?:\.\w+)?\(/);
  }
});
