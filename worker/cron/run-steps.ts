import {
  loadCronSteps,
  noteStepFailure,
  noteStepsRest,
  noteStepSuccess,
} from "../../db/queries/fleet/cron-steps.ts";
import type { DurationMs, EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { describeError, errorName } from "../../durable/runtime/describe-error.ts";
import { countingStatements } from "../http/request-scope.ts";

/** D1 lets an invocation run 1,000 statements. The rest is for what the runner itself stores. */
const STATEMENTS_PER_RUN = 950;
/** No step starts later in a run than this: it is the next run's first. */
const LAST_START_MS = 50_000;
/** A step that takes longer goes on alone: the steps after it don't wait. The run does, at its end. */
const STEP_LIMIT_MS = 20_000;
/** A database that takes longer to note how the steps ran counts as one that doesn't answer. */
const NOTE_LIMIT_MS = 5_000;

/** One of a cron's tasks. It can be cut off and repeated at any time. */
export type CronStep = {
  name: string;
  /** The most D1 statements that one run of it takes. */
  statements: number;
  run: () => Promise<unknown>;
  /** Whether it also runs while the deployment is closed. */
  runsClosed?: true;
  /** Whether it is of use while the database doesn't answer, and comes first then: the others would use up the time. */
  needsNoDatabase?: true;
};

type StepRunnerDeps = Pick<Deps, "db" | "now" | "sleep" | "log">;

type Run = {
  isClosed: boolean;
  /** How long after a success the next one counts as missed. */
  overdueMs: DurationMs;
  /** How long after its begin the run waits for steps that go on alone: the runtime cuts off what nothing waits for. */
  lastsMs: DurationMs;
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
  { isClosed, overdueMs, lastsMs }: Run,
): Promise<string[]> {
  const begun = deps.now();
  const overdueAt = begun + overdueMs;
  const failed = new Set<string>();
  const late: Promise<void>[] = [];
  let left = STATEMENTS_PER_RUN;
  for (const step of await inTurn(
    deps,
    steps.filter(({ runsClosed }) => runsClosed ?? !isClosed),
  )) {
    if (step.statements > left || deps.now() - begun >= LAST_START_MS) {
      deps.log("warn", "cron.step.postponed", { step: step.name });
      continue;
    }
    const { statements, isDone, goesOn } = await runStep(deps, step, overdueAt);
    left -= statements;
    if (!isDone) failed.add(step.name);
    if (goesOn) late.push(goesOn.then((isDoneLate) => void (isDoneLate && failed.delete(step.name))));
  }
  const resting = steps.filter(({ runsClosed }) => isClosed && !runsClosed).map(({ name }) => name);
  await store(deps, () => noteStepsRest(deps.db, resting, { at: begun, overdueAt }));
  const leftMs = begun + lastsMs - deps.now();
  if (late.length > 0 && leftMs > 0) await within(deps, leftMs, Promise.all(late)).catch(() => {});
  return [...failed];
}

/** The steps in the order of their last runs. Where that can't be loaded, those first that need no database. */
async function inTurn(deps: StepRunnerDeps, steps: readonly CronStep[]): Promise<readonly CronStep[]> {
  const ran = await store(deps, () => loadCronSteps(deps.db));
  if (ran === null) return [...steps.filter(isFirst), ...steps.filter((step) => !isFirst(step))];
  const startedAt = new Map(ran.map((row) => [row.name, row.startedAt]));
  return steps.toSorted((one, other) => (startedAt.get(one.name) ?? 0) - (startedAt.get(other.name) ?? 0));
}

function isFirst({ needsNoDatabase }: CronStep): boolean {
  return needsNoDatabase ?? false;
}

/** @returns the statements that are counted against the run, and of a step that goes on alone whether it succeeds in the end */
async function runStep(
  deps: StepRunnerDeps,
  step: CronStep,
  overdueAt: EpochMs,
): Promise<{ statements: number; isDone: boolean; goesOn?: Promise<boolean> }> {
  const startedAt = deps.now();
  const usage = { statements: 0 };
  const work = countingStatements(usage, async () => step.run());
  const note = { name: step.name, startedAt, overdueAt };
  try {
    await within(deps, STEP_LIMIT_MS, work);
    await noteSuccess(deps, note);
    return { statements: usage.statements, isDone: true };
  } catch (error) {
    await noteFailure(deps, note, error);
    if (!(error instanceof StepTimeoutError)) return { statements: usage.statements, isDone: false };
    const goesOn = work.then(
      () => noteSuccess(deps, note).then(() => true),
      (failure: unknown) => noteFailure(deps, note, failure).then(() => false),
    );
    // It may still run the rest.
    return { statements: step.statements, isDone: false, goesOn };
  }
}

type StepNote = { name: string; startedAt: EpochMs; overdueAt: EpochMs };

async function noteSuccess(deps: StepRunnerDeps, note: StepNote): Promise<void> {
  await store(deps, () => noteStepSuccess(deps.db, { ...note, succeededAt: deps.now() }));
}

async function noteFailure(deps: StepRunnerDeps, note: StepNote, error: unknown): Promise<void> {
  deps.log("error", "cron.step.failed", { step: note.name, ...describeError(error) });
  await store(deps, () => noteStepFailure(deps.db, { ...note, failure: errorName(error) }));
}

/** Awaits some work within a limit, after which it goes on alone. @throws {StepTimeoutError} */
export async function within<Result>(
  { sleep }: Pick<Deps, "sleep">,
  limitMs: DurationMs,
  work: Promise<Result>,
): Promise<Result> {
  const timer = new AbortController();
  const waitForLimit = async (): Promise<never> => {
    await sleep(limitMs, timer.signal);
    throw new StepTimeoutError();
  };
  try {
    return await Promise.race([work, waitForLimit()]);
  } finally {
    timer.abort();
  }
}

/** A database that can't be reached holds up no step that can do without it. @returns null where it can't */
async function store<Result>(deps: StepRunnerDeps, work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await within(deps, NOTE_LIMIT_MS, work());
  } catch (error) {
    deps.log("error", "cron.steps.unknown", describeError(error));
    return null;
  }
}
