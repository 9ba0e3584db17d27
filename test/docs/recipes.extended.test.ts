import { execFile } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "./documents.ts";

/** A copy of the product's sources, in a folder from which the libraries are found. */
const COPY = `${ROOT}.cache/recipes/`;
const PROJECTS = ["web", "worker", "worker/operators", "web/service-worker"];

/** A new word, as the first files of a recipe declare it: after which line, and with which line. */
type Recipe = { heading: string; word: string; declared: { file: string; after: string; line: string }[] };

const FILTERS = "db/shapes/work/filters.ts";

const RECIPES: Recipe[] = [
  {
    heading: "Field of a warehouse's filter",
    word: "mostStops",
    declared: [
      {
        file: FILTERS,
        after: "  minHourlyCents: thresholdCents,\n",
        line: "  mostStops: z._default(z.int(), 99),\n",
      },
      {
        file: "db/schema/drivers.ts",
        after: '    minHourlyCents: integer("min_hourly_cents").notNull(),\n',
        line: '    mostStops: integer("most_stops"),\n',
      },
    ],
  },
  {
    heading: "Reason against an offer",
    word: "too_far",
    declared: [
      {
        file: "db/shapes/work/verdict.ts",
        after: 'discriminatedUnion("code", [\n',
        line: '  z.object({ code: z.literal("too_far"), rule: z.int(), offer: z.int() }),\n',
      },
    ],
  },
  {
    heading: "Limit of a day or week",
    word: "stopsPerDay",
    declared: [
      { file: FILTERS, after: "export const MOST_OF_LIMIT = {\n", line: "  stopsPerDay: 999,\n" },
      {
        file: FILTERS,
        after: '  blocksPerDay: limitOf("blocksPerDay"),\n',
        line: '  stopsPerDay: limitOf("stopsPerDay"),\n',
      },
    ],
  },
  {
    heading: "Plan",
    word: "60days",
    declared: [
      {
        file: "db/shapes/money/plans.ts",
        after: "const DECLARED = [\n",
        line: '  { key: "60days", days: 60, seedCents: 29_999 },\n',
      },
    ],
  },
  {
    heading: "Language",
    word: "fr",
    declared: [{ file: "db/shapes/language.ts", after: "export const LANGUAGES = [", line: '"fr", ' }],
  },
  {
    heading: "Mode",
    word: "calm",
    declared: [{ file: FILTERS, after: "export const MODES = [", line: '"calm", ' }],
  },
];

/** The compiler's errors in a copy that has all of the words. */
let errors = "";

beforeAll(async () => {
  rmSync(COPY, { recursive: true, force: true });
  for (const part of ["db", "durable", "locales", "web", "worker", "tsconfig.json", "package.json"])
    cpSync(`${ROOT}${part}`, `${COPY}${part}`, { recursive: true });
  for (const { file, after, line } of RECIPES.flatMap(({ declared }) => declared)) {
    const text = readFileSync(`${COPY}${file}`, "utf8");
    expect(text.split(after)).toHaveLength(2);
    writeFileSync(`${COPY}${file}`, text.replace(after, `${after}${line}`));
  }
  const compiler = `${ROOT}node_modules/.bin/tsc`;
  errors = await new Promise<string>((resolve) => {
    execFile(compiler, ["-b", ...PROJECTS], { cwd: COPY, maxBuffer: 2 ** 26 }, (_failed, output) =>
      resolve(output),
    );
  });
});
afterAll(() => rmSync(COPY, { recursive: true, force: true }));

/** The files of the errors that say so. */
function filesThat(lack: string): string[] {
  const found = errors.matchAll(new RegExp(`^(\\S+)\\(\\d+,\\d+\\): error TS\\d+: ${lack}`, "gm"));
  return [...new Set([...found].map(([, path = ""]) => path))];
}

it.each(RECIPES)("$heading: the recipe names every file that must know a new one", ({ heading, word }) => {
  const files = filesThat(`Property '${word}' is missing`);
  expect(files.length > 0, errors).toBe(heading !== "Plan");
  expect(files.filter((path) => !filesOf(heading).includes(path))).toEqual([]);
});

it("names every file with a function that has a case for each word", () => {
  const named = RECIPES.flatMap(({ heading }) => filesOf(heading));
  const files = filesThat("Function lacks ending return");
  expect([files.length > 0, files.filter((path) => !named.includes(path))]).toEqual([true, []]);
});

/** The files that the recipe names. */
function filesOf(heading: string): string[] {
  const [, recipe = ""] = readFileSync(`${ROOT}.github/CONTRIBUTING.md`, "utf8").split(`**${heading}**`);
  const [own = ""] = recipe.split(/^(?:\*\*|## )/m);
  return [...own.matchAll(/`([\w/.-]+\.tsx?)`/g)].map(([, path = ""]) => path);
}
