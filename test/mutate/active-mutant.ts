import { afterEach, beforeAll, beforeEach, inject, vi, type RunnerTask } from "vitest";
import { isTimeout, type Plan, type Switched, type Verdict } from "./lane-protocol.ts";

/** The names by which the code around each mutant reads and counts, as the instrumenter gave them. */
type Switch = {
  activeMutant?: string | undefined;
  hitCount?: number;
  hitLimit?: number;
  currentTestId?: string | undefined;
  mutantCoverage?: { static: Hits; perTest: Record<string, Hits> };
};

/** How often each mutant was reached. */
type Hits = Record<string, number>;

declare global {
  // oxlint-disable-next-line no-var -- only a var is a property of the global object
  var __stryker__: Switch | undefined;
}

declare module "vitest" {
  interface ProvidedContext {
    mutationPlan: Plan;
  }
  interface TaskMeta {
    /** Mutants that this test reached. */
    reached?: Hits;
    /** Mutants that were reached outside of tests, before this one ended. */
    reachedOutside?: Hits;
    /** By mutant. One without a verdict has to be tried again in a fresh runtime. */
    verdicts?: Record<string, Verdict>;
  }
}

/** Long enough for a busy machine, short enough for a fault that waits for ever. */
const TIMEOUT_MS = 20_000;

const switchboard: Switch = (globalThis.__stryker__ ??= {});
const plan = inject("mutationPlan");
if (plan.kind === "count") countHits();
else vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS });
if (plan.kind === "one") turnOn(plan.mutant);
if (plan.kind === "many") repeatTests(plan.mutantsByTest);

function turnOn(mutant: Switched | null): void {
  switchboard.activeMutant = mutant?.id;
  switchboard.hitCount = 0;
  switchboard.hitLimit = mutant?.hitLimit ?? Number.POSITIVE_INFINITY;
}

function countHits(): void {
  // Modules that an earlier file loaded go on counting in the same object.
  const coverage = (switchboard.mutantCoverage ??= { static: {}, perTest: {} });
  beforeEach(({ task }) => {
    switchboard.currentTestId = task.id;
  });
  afterEach(({ task }) => {
    switchboard.currentTestId = undefined;
    task.meta.reached = coverage.perTest[task.id] ?? {};
    task.meta.reachedOutside = coverage.static;
    coverage.static = {};
  });
}

/**
 * A failure counts only when the same test then passes without a mutant; otherwise the runtime is spoiled, and
 * nothing that follows in it gets a verdict.
 */
function repeatTests(mutantsByTest: Record<string, Switched[]>): void {
  const killed = new Set<string>();
  let isSpoiled = false;
  let current: Switched | null | undefined;
  let suspect: { mutant: Switched; isLate: boolean } | undefined;

  // oxlint-disable-next-line no-empty-pattern -- how Vitest is told that no fixture is wanted
  beforeAll(({}, file) => {
    for (const test of testsIn(file.tasks)) test.repeats = 2 * (mutantsByTest[test.id]?.length ?? 0) + 2;
  });

  beforeEach(({ task, skip }) => {
    const verdicts = (task.meta.verdicts ??= {});
    const last = task.result?.attempts?.at(-1);
    if (last === undefined) current = suspect = undefined;
    const hasFailed = last?.state === "fail";
    if (current && hasFailed) {
      const isLate = last.errors?.some(({ message }) => isTimeout(message)) ?? false;
      suspect = { mutant: current, isLate };
    } else if (current) {
      verdicts[current.id] = switchboard.hitCount === 0 ? "unreached" : "survived";
    } else if (suspect && hasFailed) {
      isSpoiled = true;
    } else if (suspect?.isLate) {
      // It may have been the machine, and what timed out may still be running.
      isSpoiled = true;
    } else if (suspect) {
      verdicts[suspect.mutant.id] = "killed";
      killed.add(suspect.mutant.id);
      suspect = undefined;
    }
    const next = mutantsByTest[task.id]?.find(({ id }) => !killed.has(id) && !(id in verdicts));
    current = suspect ? null : next;
    turnOn(current ?? null);
    if (isSpoiled || current === undefined) skip();
  });
}

function testsIn(tasks: readonly RunnerTask[]): RunnerTask[] {
  return tasks.flatMap((task) => ("tasks" in task ? testsIn(task.tasks) : [task]));
}
