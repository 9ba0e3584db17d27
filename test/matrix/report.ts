import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Finding } from "./walk.ts";

const file = new URL("../../.cache/matrix.json", import.meta.url);

type Report = {
  /** Most frequent first: a problem, in how many cells it is, and one of them. */
  problems: string[];
  /** The problems of every visited cell. */
  cells: Record<string, string[]>;
};

/** The cells of earlier runs that had no problem. */
export function loadClean(): Set<string> {
  return new Set(
    Object.entries(load().cells)
      .filter(([, problems]) => problems.length === 0)
      .map(([cell]) => cell),
  );
}

/** Adds what was found to the report on disk, in case the run is ended early. */
export function keep(findings: readonly Finding[]): void {
  const cells = {
    ...load().cells,
    ...Object.fromEntries(findings.map(({ cell, problems }) => [cell, problems])),
  };
  const all = Object.entries(cells).map(([cell, problems]) => ({ cell, problems }));
  const report: Report = { problems: summarize(all), cells };
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, JSON.stringify(report, null, 2));
}

/** One problem a line, with how many cells had it and one of them. */
export function summarize(findings: readonly Finding[]): string[] {
  const cells = new Map<string, string[]>();
  for (const { cell, problems } of findings)
    for (const problem of new Set(problems)) cells.set(problem, [...(cells.get(problem) ?? []), cell]);
  return [...cells]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([problem, where]) => `${where.length} × ${problem} — ${where[0] ?? ""}`);
}

function load(): Report {
  if (!existsSync(file)) return { problems: [], cells: {} };
  const { problems = [], cells = {} }: Partial<Report> = JSON.parse(readFileSync(file, "utf8"));
  return { problems, cells };
}
