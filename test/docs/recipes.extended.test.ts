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
      { file: FILTERS, after: "  blocksPerDay: limitOf(24),\n", line: "  stopsPerDay: limitOf(999),\n" },
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

beforeAll(() => {
  rmSync(COPY, { recursive: true, force: true });
  for (const part of ["db", "durable", "locales", "web", "worker", "tsconfig.json", "package.json"])
    cpSync(`${ROOT}${part}`, `${COPY}${part}`, { recursive: true });
});
afterAll(() => rmSync(COPY, { recursive: true, force: true }));

it.each(RECIPES)(
  "$heading: the recipe names every file that must know a new one",
  async ({ heading, word, declared }) => {
    for (const { file, after, line } of declared) {
      const text = readFileSync(`${ROOT}${file}`, "utf8");
      expect(text.split(after)).toHaveLength(2);
      writeFileSync(`${COPY}${file}`, text.replace(after, `${after}${line}`));
    }
    const output = await typeCheck();
    for (const { file } of declared) cpSync(`${ROOT}${file}`, `${COPY}${file}`);
    const missing = new RegExp(
      `^(\\S+)\\(\\d+,\\d+\\): error TS\\d+: (?:Property '${word}' is missing|Function lacks ending return)`,
      "gm",
    );
    const files = [...new Set([...output.matchAll(missing)].map(([, path = ""]) => path))];
    expect(files.length > 0, output).toBe(heading !== "Plan");
    expect(files.filter((path) => !filesOf(heading).includes(path))).toEqual([]);
  },
);

/** The output of a type check of the product. */
function typeCheck(): Promise<string> {
  const compiler = `${ROOT}node_modules/.bin/tsc`;
  return new Promise((resolve) => {
    execFile(compiler, ["-b", ...PROJECTS], { cwd: COPY, maxBuffer: 2 ** 26 }, (_failed, output) =>
      resolve(output),
    );
  });
}

/** The files that the recipe names. */
function filesOf(heading: string): string[] {
  const [, recipe = ""] = readFileSync(`${ROOT}.github/CONTRIBUTING.md`, "utf8").split(`**${heading}**`);
  const [own = ""] = recipe.split(/^(?:\*\*|## )/m);
  return [...own.matchAll(/`([\w/.-]+\.tsx?)`/g)].map(([, path = ""]) => path);
}
