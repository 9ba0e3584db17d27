import { expect, it } from "vitest";
import { sampleOf, type Mutant } from "../mutate/mutants.ts";

const start = { line: 1, column: 1 };

/** Two faults of the same text in each of some files, with ids as they come. */
function mutantsOf(files: readonly string[]): Mutant[] {
  return files
    .flatMap((file) => [file, file])
    .map((file, id) => {
      const fault = { mutator: "BooleanLiteral", original: "true", replacement: "false", code: "false" };
      return { id: String(id), file, ...fault, line: 1, start, end: start };
    });
}

const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `db/${from + at}.ts`);

it("draws the same faults from the files that stay, whatever comes before them", () => {
  const filesOf = (files: readonly string[]) => sampleOf(mutantsOf(files), 40, 24).map(({ file }) => file);
  const [before, after] = [filesOf(names(1, 400)), filesOf(names(0, 400))];
  expect(before.filter((file) => !after.includes(file)).length).toBeLessThanOrEqual(2);
  expect(new Set(before).size).toBeGreaterThan(30);
});
