import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { countUnsteady, describeUnsteady, hasPassed, unsteadyOf } from "../unsteady.ts";

const story = (name: string) => ({ name, trace: `Error: ${name}\n    at story.ts:1` });

it("is unsteady what failed and then passed alone, and nothing else", () => {
  const failed = [story("a"), story("b")];
  expect(unsteadyOf(failed, new Set(["b", "c"]))).toEqual([story("b")]);
});

it.each([
  { failed: 0, unsteady: 0, passes: true },
  { failed: 0, unsteady: 2, passes: true },
  { failed: 0, unsteady: 3, passes: false },
  { failed: 1, unsteady: 0, passes: false },
  { failed: 1, unsteady: 1, passes: false },
])("passes a run with $failed failed and $unsteady unsteady: $passes", ({ failed, unsteady, passes }) => {
  expect(hasPassed({ failed, unsteady: Array.from({ length: unsteady }, () => story("a")) })).toBe(passes);
});

it("counts each unsteady story over all runs, also where the counts can't be read, and prints its trace", () => {
  const file = join(mkdtempSync(join(tmpdir(), "jornada-")), "unsteady.json");
  writeFileSync(file, "{");
  countUnsteady(file, [story("a"), story("b")], new Date(0));
  const counts = countUnsteady(file, [story("b")], new Date(1_000));
  expect(counts).toEqual({
    a: { times: 1, lastAt: "1970-01-01T00:00:00.000Z" },
    b: { times: 2, lastAt: "1970-01-01T00:00:01.000Z" },
  });
  expect(describeUnsteady([story("b")], counts)).toBe(
    "unsteady  b   (count on this machine: 2)\nError: b\n    at story.ts:1",
  );
});
