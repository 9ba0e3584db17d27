import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { root } from "../unit.config.ts";
import { offsetAt, oneLine, plantMutants, type Instrumented, type Mutant } from "./mutants.ts";
import { isHarmless, lineOf, type Reported } from "./report.ts";
import type { Finding, Status } from "./trial.ts";

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
  "worker/spots",
  "worker/accounts",
  "worker/texts",
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

const MUTATOR = "Guard";

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

/** Takes each guard out, behind a switch: the conditions of throws in guarded rooms, and those of the list. */
export async function plantGuards(paths: string[]): Promise<Instrumented> {
  const listed = z.array(listedGuard).parse(JSON.parse(readFileSync(`${root}/${LIST}`, "utf8")));
  const ids = new Map(listed.map((one, index) => [one, `guard ${index}`]));
  const planted: Mutant[] = [];
  const prepare = (file: string, source: string) => {
    const own = [...ids].filter(([one]) => one.file === file);
    for (const [one, id] of own) planted.push(toMutant(one, { id, source }));
    const changed = own.reduce(
      (text, [{ original, replacement }, id]) =>
        text.replace(original, () => `(isGuardOut("${id}") ? (${replacement}) : (${original}))`),
      source,
    );
    return own.length === 0 ? source : changed + SWITCH;
  };
  const all = await plantMutants(paths, prepare);
  const throwing = all.mutants.filter((mutant) => decidesThrow(mutant, all.sources.get(mutant.file) ?? ""));
  return { ...all, mutants: [...throwing, ...planted] };
}

function toMutant(
  { guard, file, original, replacement }: ListedGuard,
  { id, source }: { id: string; source: string },
): Mutant {
  const at = source.indexOf(original);
  if (at < 0 || source.includes(original, at + 1))
    throw new Error(`${LIST}: not once in ${file}: ${original}`);
  const line = source.slice(0, at).split("\n").length;
  const start = { line, column: 1 };
  return {
    id,
    file,
    mutator: MUTATOR,
    original: oneLine(`${guard}: ${original}`),
    replacement: oneLine(replacement),
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

/** Which test noticed that a guard was out. */
export class GuardReport {
  readonly #findings = new Map<Mutant, Finding>();

  isOpen(): boolean {
    return true;
  }

  add(findings: ReadonlyMap<Mutant, Finding>): void {
    for (const [mutant, finding] of findings) this.#findings.set(mutant, finding);
  }

  survivors(): Reported[] {
    return this.#with("Survived", "NoCoverage").filter((mutant) => !isHarmless(mutant));
  }

  stale(): [] {
    return [];
  }

  summary(): string {
    const missed = this.#with("Killed", "Timeout").length;
    return `${this.#findings.size} guards: ${missed} missed, ${this.#with("Pending").length} not tried`;
  }

  #with(...statuses: Status[]): Mutant[] {
    return [...this.#findings].flatMap(([mutant, { status }]) => (statuses.includes(status) ? mutant : []));
  }

  write(): void {
    const rows = [...this.#findings].map(([mutant, { status, killedBy }]) => ({
      guard: lineOf(mutant),
      status,
      killedBy,
    }));
    mkdirSync(`${root}/.cache`, { recursive: true });
    writeFileSync(`${root}/${GUARDS_FOUND}`, JSON.stringify(rows, null, 1));
  }
}
