import {
  loadCronSteps,
  noteStepFailure,
  noteStepsRest,
  noteStepSuccess,
  type CronStepRow,
} from "../../db/queries/fleet/cron-steps.ts";
import type { DurationMs, EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { describeError, errorName } from "../../durable/runtime/describe-error.ts";
import { countingStatements } from "../http/request-scope.ts";

/** D1 lets an invocation run 1,000 statements. The rest is for what the runner itself stores. */
const STATEMENTS_PER_RUN = 950;
/** No step starts later in a run than this: it is the next run's first. */
const LAST_START_MS = 50_000;
/** A step that takes longer goes on alone: the steps after it don't wait. */
const STEP_LIMIT_MS = 20_000;

/** One of a cron's tasks. It can be cut off and repeated at any time. */
export type CronStep = {
  name: string;
  /** The most D1 statements that one run of it takes. */
  statements: number;
  run: () => Promise<unknown>;
  /** Whether it also runs while the deployment is closed. */
  runsClosed?: true;
};

type StepRunnerDeps = Pick<Deps, "db" | "now" | "sleep" | "log">;

type Run = {
  isClosed: boolean;
  /** How long after a success the next one counts as missed. */
  overdueMs: DurationMs;
};

/** A step outlasted its limit. */
class StepTimeoutError extends Error {
  override name = "StepTimeoutError";
}

/**
 * Runs steps one after the other, those that ran longest ago first. None fails or waits for another; a step that doesn't
 * fit into what is left of the run's statements or time is among the first of the next.
 * @returns the names of those that failed
 */
export async function runSteps(
  deps: StepRunnerDeps,
  steps: readonly CronStep[],
  { isClosed, overdueMs }: Run,
): Promise<string[]> {
  const begun = deps.now();
  const overdueAt = begun + overdueMs;
  const failed: string[] = [];
  let left = STATEMENTS_PER_RUN;
  for (const step of await inTurn(
    deps,
    steps.filter(({ runsClosed }) => runsClosed ?? !isClosed),
  )) {
    if (step.statements > left || deps.now() - begun >= LAST_START_MS) {
      deps.log("warn", "cron.step.postponed", { step: step.name });
      continue;
    }
    const { statements, isDone } = await runStep(deps, step, overdueAt);
    left -= statements;
    if (!isDone) failed.push(step.name);
  }
  const resting = steps.filter(({ runsClosed }) => isClosed && !runsClosed).map(({ name }) => name);
  await store(deps, () => noteStepsRest(deps.db, resting, { at: begun, overdueAt }));
  return failed;
}

/** The steps in the order of their last runs. In the given order where that can't be loaded. */
async function inTurn(deps: StepRunnerDeps, steps: readonly CronStep[]): Promise<readonly CronStep[]> {
  let ran: CronStepRow[] = [];
  await store(deps, async () => {
    ran = await loadCronSteps(deps.db);
  });
  const startedAt = new Map(ran.map((row) => [row.name, row.startedAt]));
  return steps.toSorted((one, other) => (startedAt.get(one.name) ?? 0) - (startedAt.get(other.name) ?? 0));
}

/** @returns the statements that are counted against the run */
async function runStep(
  deps: StepRunnerDeps,
  step: CronStep,
  overdueAt: EpochMs,
): Promise<{ statements: number; isDone: boolean }> {
  const { db, now, log } = deps;
  const { name } = step;
  const startedAt = now();
  const usage = { statements: 0 };
  try {
    await within(deps, STEP_LIMIT_MS, countingStatements(usage, step.run));
    await store(deps, () => noteStepSuccess(db, { name, startedAt, succeededAt: now(), overdueAt }));
    return { statements: usage.statements, isDone: true };
  } catch (error) {
    log("error", "cron.step.failed", { step: name, ...describeError(error) });
    await store(deps, () => noteStepFailure(db, { name, startedAt, failure: errorName(error), overdueAt }));
    // One that goes on alone may still run the rest.
    return {
      statements: error instanceof StepTimeoutError ? step.statements : usage.statements,
      isDone: false,
    };
  }
}

async function within({ sleep }: StepRunnerDeps, limitMs: DurationMs, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const waitForLimit = async () => {
    await sleep(limitMs, timer.signal);
    if (!timer.signal.aborted) throw new StepTimeoutError();
  };
  try {
    await Promise.race([work, waitForLimit()]);
  } finally {
    timer.abort();
  }
}

/** A database that can't be reached holds up no step that can do without it. */
async function store(deps: StepRunnerDeps, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    deps.log("error", "cron.steps.unknown", describeError(error));
  }
}
