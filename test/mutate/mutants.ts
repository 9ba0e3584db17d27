import { globSync, readFileSync } from "node:fs";
import { Instrumenter, type InstrumenterOptions } from "@stryker-mutator/instrumenter";
import * as z from "zod";
import { root } from "../unit.config.ts";

/** The rooms of the product, whose faults a test has to notice. */
const ROOMS = ["db", "durable", "worker", "web"];
/** Code of builds, migrations and the linter, and generated sources. */
const NOT_PLANTED = [
  "db/lint-sql.ts",
  "db/drizzle.config.ts",
  "db/migrations/**",
  "web/vite.config.ts",
  "web/build/**",
  "web/**/messages/**",
  "web/routeTree.gen.ts",
  "**/*.d.ts",
];

/** Classes and styles of the page: the eye notices them, in the pictures of `npm run matrix`. */
const LOOKS = ["className", "style"];
const ignoreLooks: InstrumenterOptions["ignorers"][number] = {
  shouldIgnore: (path) => (LOOKS.includes(attributeName(path) ?? "") ? "the look" : undefined),
};

const jsxAttribute = z.object({
  node: z.object({ type: z.literal("JSXAttribute"), name: z.object({ name: z.string() }) }),
});

function attributeName(path: unknown): string | undefined {
  return jsxAttribute.safeParse(path).data?.node.name.name;
}

/** A planted fault: one place of a source file, and what stands there instead. */
export type Mutant = {
  id: string;
  file: string;
  mutator: string;
  /** The source text that the fault replaces, on one line, cut where it is long. */
  original: string;
  replacement: string;
  /** The whole of the replacement. */
  code: string;
  /** Counted from 1. */
  line: number;
  start: Place;
  end: Place;
};

type Place = { line: number; column: number };

export type Instrumented = {
  mutants: Mutant[];
  sources: Map<string, string>;
  /** Each source file with all of its mutants, of which at most one is active. */
  instrumented: Map<string, string>;
};

const silent = () => {};
const disabled = () => false;
const logger = {
  isTraceEnabled: disabled,
  isDebugEnabled: disabled,
  isInfoEnabled: disabled,
  isWarnEnabled: disabled,
  isErrorEnabled: disabled,
  isFatalEnabled: disabled,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
};

/** Plants every fault at once, each behind a switch; only in memory. `paths` are files or folders of the rooms. */
export async function plantMutants(
  paths: string[],
  prepare = (_file: string, source: string) => source,
): Promise<Instrumented> {
  const found = ROOMS.flatMap((room) =>
    globSync(`${room}/**/*.{ts,tsx}`, { cwd: root, exclude: NOT_PLANTED }),
  );
  const names = found.filter(
    (name) => paths.length === 0 || paths.some((path) => name === path || name.startsWith(`${path}/`)),
  );
  const sources = new Map(
    names.map((name) => [name, prepare(name, readFileSync(`${root}/${name}`, "utf8"))]),
  );
  const files = [...sources].map(([name, content]) => ({ name, content, mutate: true }));
  const options = { plugins: null, excludedMutations: [], ignorers: [ignoreLooks] };
  const result = await new Instrumenter(logger).instrument(files, options);
  const planted = result.mutants.filter(({ status }) => status === undefined);
  const mutants = planted.map(({ id, fileName, mutatorName, replacement, location }) => {
    const { start, end } = location;
    const source = sources.get(fileName) ?? "";
    return {
      id,
      file: fileName,
      mutator: mutatorName,
      original: oneLine(source.slice(offsetAt(source, start), offsetAt(source, end))),
      replacement: oneLine(replacement),
      code: replacement,
      line: start.line + 1,
      start: { line: start.line + 1, column: start.column + 1 },
      end: { line: end.line + 1, column: end.column + 1 },
    };
  });
  const instrumented = new Map(result.files.map(({ name, content }) => [name, content]));
  return { mutants, sources, instrumented };
}

const SHOWN_LENGTH = 100;

export function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > SHOWN_LENGTH ? `${line.slice(0, SHOWN_LENGTH)}…` : line;
}

/** Counted from 0. */
export function offsetAt(source: string, { line, column }: Place): number {
  let offset = 0;
  for (let passed = 0; passed < line; passed += 1) offset = source.indexOf("\n", offset) + 1;
  return offset + column;
}

/** Only the instrumented files of these mutants, since instrumented code is slow. */
export function sourcesOf(
  mutants: readonly Mutant[],
  instrumented: Map<string, string>,
): Map<string, string> {
  const files = new Set(mutants.map(({ file }) => file));
  return new Map([...instrumented].filter(([file]) => files.has(file)));
}

/**
 * A sample that depends only on the seed and on what the mutants are: another file's change leaves it as it was. The same
 * fault that is planted several times in a file counts its places.
 */
export function sampleOf(mutants: readonly Mutant[], size: number, seed: number): Mutant[] {
  const places = new Map<string, number>();
  const nameOf = ({ file, mutator, original, replacement }: Mutant) => {
    const fault = `${file} ${mutator} ${original} ${replacement}`;
    const place = (places.get(fault) ?? 0) + 1;
    places.set(fault, place);
    return `${seed} ${fault} ${place}`;
  };
  const rank = new Map(mutants.map((mutant) => [mutant, hash(nameOf(mutant))]));
  return mutants.toSorted((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0)).slice(0, size);
}

/** FNV-1a, with the bits of the last letters spread once more. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}
