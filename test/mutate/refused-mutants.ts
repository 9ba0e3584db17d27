import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { root } from "../unit.config.ts";
import { offsetAt, type Mutant } from "./mutants.ts";
import { loadedBy } from "./reaching-tests.ts";

/** The product without its tests, compiled here with faults. Packages are found in the folders above. */
const COPY = `${root}/.cache/compiled`;
const ROOMS = ["db", "durable", "locales", "web", "worker"];
const PROJECTS =
  "db/shapes durable/engine worker/contract locales db durable worker worker/operators web/service-worker web";
/** Of code that a fault leaves without a use: no mistake in itself. */
const ALLOWED = { noUnusedLocals: false, noUnusedParameters: false };
const ERROR = /^(?<file>[^\s(]+)\(\d+,\d+\): error TS/gm;

/**
 * The mutants that the compiler refuses, so that no test can meet them. First one of each file at once, which finds those that
 * may be refused; then those of files that don't use one another, so that each error comes of its file's own mutant; at
 * last those that other files don't compile with, found by halves.
 */
export function findRefused(
  mutants: readonly Mutant[],
  sources: ReadonlyMap<string, string>,
  { isTimeUp, report }: { isTimeUp: () => boolean; report: (text: string) => void },
): Set<Mutant> {
  copyProduct();
  if (filesWithErrors([], sources).size > 0) throw new Error("the product does not compile without a mutant");
  const suspects = roundsOf(mutants).flatMap((round) => {
    const files = isTimeUp() ? new Set<string>() : filesWithErrors(round, sources);
    return round.filter(({ file }) => files.has(file));
  });
  report(`the compiler may refuse ${suspects.length}`);
  const refused = unrelatedGroups(suspects, sources).flatMap((group) => {
    const files = isTimeUp() ? new Set<string>() : filesWithErrors(group, sources);
    return group.filter(({ file }) => files.has(file));
  });
  const left = mutants.filter((mutant) => !refused.includes(mutant));
  const elsewhere = roundsOf(left).flatMap((round) => refusedElsewhere(round, sources, isTimeUp));
  return new Set([...refused, ...elsewhere]);
}

/** Of mutants in as many files: those by which some file does not compile. */
function refusedElsewhere(
  mutants: readonly Mutant[],
  sources: ReadonlyMap<string, string>,
  isTimeUp: () => boolean,
): readonly Mutant[] {
  if (mutants.length === 0 || isTimeUp()) return [];
  const used = [...filesWithErrors(mutants, sources)].map((file) => usedBy(file, sources));
  const blamed = mutants.filter(({ file }) => used.some((files) => files.has(file)));
  if (mutants.length === 1) return blamed;
  const half = Math.ceil(blamed.length / 2);
  return [blamed.slice(0, half), blamed.slice(half)].flatMap((part) =>
    refusedElsewhere(part, sources, isTimeUp),
  );
}

/** The files that a file uses, be it for a type. */
function usedBy(file: string, sources: ReadonlyMap<string, string>): ReadonlySet<string> {
  return loadedBy(file, (path) => sources.get(path)?.replaceAll(/\b(import|export) type\b/g, "$1") ?? null);
}

/** Groups of mutants, each in a file that uses no other file of its group, be it for a type. */
export function unrelatedGroups(
  mutants: readonly Mutant[],
  sources: ReadonlyMap<string, string>,
): readonly (readonly Mutant[])[] {
  const used = new Map(mutants.map(({ file }) => [file, usedBy(file, sources)]));
  const isRelated = (one: Mutant, other: Mutant) =>
    used.get(one.file)?.has(other.file) || used.get(other.file)?.has(one.file);
  const groups: Mutant[][] = [];
  for (const mutant of mutants) {
    const group = groups.find((known) => !known.some((other) => isRelated(mutant, other)));
    if (group) group.push(mutant);
    else groups.push([mutant]);
  }
  return groups;
}

function copyProduct(): void {
  rmSync(COPY, { recursive: true, force: true });
  mkdirSync(COPY, { recursive: true });
  for (const room of [...ROOMS, "package.json"])
    cpSync(`${root}/${room}`, `${COPY}/${room}`, { recursive: true });
  const config = z
    .looseObject({ compilerOptions: z.looseObject({}) })
    .parse(JSON.parse(readFileSync(`${root}/tsconfig.json`, "utf8")));
  const compilerOptions = { ...config.compilerOptions, ...ALLOWED };
  writeFileSync(`${COPY}/tsconfig.json`, JSON.stringify({ ...config, compilerOptions }));
}

/** At most one mutant of a file in each. */
function roundsOf(mutants: readonly Mutant[]): Mutant[][] {
  const byFile = [...Map.groupBy(mutants, ({ file }) => file).values()];
  const most = Math.max(0, ...byFile.map((own) => own.length));
  return Array.from({ length: most }, (_, index) => byFile.flatMap((own) => own.slice(index, index + 1)));
}

function filesWithErrors(mutants: readonly Mutant[], sources: ReadonlyMap<string, string>): Set<string> {
  for (const mutant of mutants) {
    writeFileSync(`${COPY}/${mutant.file}`, withFault(mutant, sources.get(mutant.file) ?? ""));
  }
  const { stdout } = spawnSync(
    `${root}/node_modules/.bin/tsc`,
    ["-b", "--pretty", "false", ...PROJECTS.split(" ")],
    {
      cwd: COPY,
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    },
  );
  for (const { file } of mutants) writeFileSync(`${COPY}/${file}`, sources.get(file) ?? "");
  return new Set([...stdout.matchAll(ERROR)].flatMap(({ groups }) => groups?.["file"] ?? []));
}

function withFault({ start, end, code }: Mutant, source: string): string {
  const [from, to] = [start, end].map(({ line, column }) =>
    offsetAt(source, { line: line - 1, column: column - 1 }),
  );
  return source.slice(0, from) + code + source.slice(to);
}
