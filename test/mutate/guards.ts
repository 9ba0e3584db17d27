import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { root } from "../unit.config.ts";
import { offsetAt, oneLine, plantMutants, type Instrumented, type Mutant } from "./mutants.ts";
import { findOwnedRows, type PlacedGuard } from "./owned-rows.ts";
import { GUARD_MUTATOR, isHarmless, lineOf, type Reported } from "./report.ts";
import { STATUSES, type Finding, type Status } from "./trial.ts";

const LIST = "test/mutate/guards.json";
/** Where the whole report goes. */
export const GUARDS_FOUND = ".cache/guards.json";

/** Where a condition that throws protects money, access or privacy. */
const GUARDED = [
  "worker/http",
  "worker/routes",
  "worker/console",
  "worker/payments",
  "worker/identity",
  "worker/rewards",
  "worker/cities",
  "worker/accounts",
  "worker/texts",
  "worker/cron",
  "worker/operators",
  "db/queries",
];

/** A guard of another form than a condition that throws, such as one in SQL: its expression, and the expression without it. */
const listedGuard = z.strictObject({
  guard: z.string().min(10),
  file: z.string(),
  original: z.string(),
  replacement: z.string(),
});
type ListedGuard = z.output<typeof listedGuard>;

/** Counts and asks as the instrumenter's own code does, once for each file. */
const SWITCH = `
function isGuardOut(id) {
  const board = (globalThis.__stryker__ ??= {});
  if (board.mutantCoverage) {
    const { perTest, static: outside } = board.mutantCoverage;
    const hits = board.currentTestId ? (perTest[board.currentTestId] ??= {}) : outside;
    hits[id] = (hits[id] ?? 0) + 1;
  }
  if (board.activeMutant !== id) return false;
  board.hitCount = (board.hitCount ?? 0) + 1;
  return true;
}
`;

/**
 * Takes each guard out, behind a switch: the conditions of throws in guarded rooms, those of queries on whose a row is, and
 * those of the list.
 */
export async function plantGuards(paths: string[]): Promise<Instrumented> {
  const listed = z.array(listedGuard).parse(JSON.parse(readFileSync(`${root}/${LIST}`, "utf8")));
  const planted: Mutant[] = [];
  const prepare = (file: string, source: string) => {
    const own = listed.filter((one) => one.file === file).map((one) => placeListed(one, source));
    const guards = [...own, ...findOwnedRows(file, source)];
    const idOf = (guard: PlacedGuard) => `guard ${file} ${guards.indexOf(guard)}`;
    planted.push(...guards.map((guard) => toMutant(guard, { id: idOf(guard), file, source })));
    return guards.length === 0 ? source : plantIn(source, guards, idOf) + SWITCH;
  };
  const all = await plantMutants(paths, prepare);
  const throwing = all.mutants.filter((mutant) => decidesThrow(mutant, all.sources.get(mutant.file) ?? ""));
  return { ...all, mutants: [...throwing, ...planted] };
}

function placeListed({ guard, file, original, replacement }: ListedGuard, source: string): PlacedGuard {
  const from = source.indexOf(original);
  if (from < 0 || source.includes(original, from + 1))
    throw new Error(`${LIST}: not once in ${file}: ${original}`);
  return { guard, from, to: from + original.length, replacement, isInSql: false };
}

/** The source with a switch at each guard. One may stand within another. */
function plantIn(
  source: string,
  guards: readonly PlacedGuard[],
  idOf: (guard: PlacedGuard) => string,
): string {
  let text = source;
  const grown: { from: number; by: number }[] = [];
  for (const guard of guards.toSorted((one, other) => other.from - one.from || one.to - other.to)) {
    const { from, to, replacement, isInSql } = guard;
    const inner = grown.filter((edit) => edit.from >= from && edit.from < to);
    const end = inner.reduce((sum, { by }) => sum + by, to);
    const isOut = `isGuardOut("${idOf(guard)}")`;
    const original = text.slice(from, end);
    const planted = isInSql
      ? `\${${isOut} ? sql\`${replacement}\` : sql\`${original}\`}`
      : `(${isOut} ? (${replacement}) : (${original}))`;
    text = text.slice(0, from) + planted + text.slice(end);
    grown.push({ from, by: planted.length - original.length });
  }
  return text;
}

function toMutant(
  { guard, from, to, replacement }: PlacedGuard,
  { id, file, source }: { id: string; file: string; source: string },
): Mutant {
  const line = source.slice(0, from).split("\n").length;
  const start = { line, column: 1 };
  return {
    id,
    file,
    mutator: GUARD_MUTATOR,
    original: oneLine(`${guard}: ${source.slice(from, to)}`),
    replacement: oneLine(replacement),
    code: replacement,
    line,
    start,
    end: start,
  };
}

/** Whether a mutant never lets the condition of a throw hold. */
function decidesThrow({ file, mutator, replacement, start, end }: Mutant, source: string): boolean {
  if (mutator !== "ConditionalExpression" || replacement !== "false") return false;
  if (!GUARDED.some((room) => file.startsWith(`${room}/`))) return false;
  const [before, after] = [start, end].map(({ line, column }) =>
    offsetAt(source, { line: line - 1, column: column - 1 }),
  );
  return source.slice(0, before).endsWith("if (") && /^\)\s*(?:\{[^{}]*)?\bthrow\b/.test(source.slice(after));
}

const rows = z.array(
  z.object({ guard: z.string(), status: z.enum(STATUSES), killedBy: z.optional(z.unknown()) }),
);
type Row = z.output<typeof rows>[number];

/** Which test noticed that a guard was out. A run adds to the findings of earlier ones. */
export class GuardReport {
  readonly #planted: readonly Mutant[];
  readonly #rows: Map<string, Row>;

  constructor({ mutants }: Instrumented) {
    this.#planted = mutants;
    const lines = new Set(mutants.map(lineOf));
    this.#rows = new Map(readRows().flatMap((row) => (lines.has(row.guard) ? [[row.guard, row]] : [])));
  }

  /** Whether a guard has still to be tried, or nothing noticed that it was out. */
  isOpen(mutant: Mutant): boolean {
    const status = this.#rows.get(lineOf(mutant))?.status;
    return status !== "Killed" && status !== "Timeout" && !isHarmless(mutant);
  }

  add(findings: ReadonlyMap<Mutant, Finding>): void {
    for (const [mutant, { status, killedBy }] of findings) {
      const guard = lineOf(mutant);
      this.#rows.set(guard, { guard, status, killedBy });
    }
  }

  survivors(): Reported[] {
    return this.#with("Survived", "NoCoverage").filter((mutant) => !isHarmless(mutant));
  }

  stale(): [] {
    return [];
  }

  summary(): string {
    const missed = this.#with("Killed", "Timeout").length;
    return `${this.#rows.size} guards: ${missed} missed, ${this.#with("Pending").length} not tried`;
  }

  #with(...statuses: Status[]): Mutant[] {
    return this.#planted.filter((mutant) => {
      const row = this.#rows.get(lineOf(mutant));
      return row !== undefined && statuses.includes(row.status);
    });
  }

  write(): void {
    mkdirSync(`${root}/.cache`, { recursive: true });
    writeFileSync(`${root}/${GUARDS_FOUND}`, JSON.stringify([...this.#rows.values()], null, 1));
  }
}

function readRows(): Row[] {
  const path = `${root}/${GUARDS_FOUND}`;
  return existsSync(path) ? rows.parse(JSON.parse(readFileSync(path, "utf8"))) : [];
}
