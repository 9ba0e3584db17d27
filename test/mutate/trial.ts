import type { LaneResponse, ReachedTest, Switched, TestFile } from "./lane-protocol.ts";
import type { Lane } from "./lane.ts";
import type { Mutant } from "./mutants.ts";
import { costOf, msOf, startMs, Worklist, type Chunk, type ReachedFile, type Target } from "./worklist.ts";

/** Pending: not tried, or the time was up. CompileError: the compiler refuses it, so that no test can meet it. */
export const STATUSES = ["Killed", "Timeout", "Survived", "NoCoverage", "CompileError", "Pending"] as const;
export type Status = (typeof STATUSES)[number];

/** The result for a mutant. */
export type Finding = { status: Status; killedBy?: string };

/** A mutant on from the first import on is tried in the files that know most of its source file. */
const FILES_PER_STATIC_MUTANT = 40;
/** How many files share a run with one mutant. */
const FILES_PER_RUN_ALONE = 8;
/** In a quick run, a mutant that survived tests that take so long together stays undecided. */
const QUICK_MS = 2_000;

/** All mutants against all tests that reach them, by several lanes at once. */
export class Trial {
  readonly findings = new Map<Mutant, Finding>();
  readonly #reached: ReachedFile[];
  readonly #targets: Target[];
  /** Files that a mutant still has to be tried in without others. */
  readonly #alone = new Map<Target, Set<TestFile>>();
  /** All mutants of each source file. */
  readonly #planted: Map<string, string[]>;
  readonly #isTimeUp: () => boolean;
  readonly #isQuick: boolean;
  /** How long the tests take that each mutant has survived. */
  readonly #survived = new Map<Target, number>();

  constructor(
    reached: ReachedFile[],
    mutants: Mutant[],
    { planted, isTimeUp, isQuick }: { planted: Mutant[]; isTimeUp: () => boolean; isQuick: boolean },
  ) {
    const byFile = Map.groupBy(planted, ({ file }) => file);
    this.#planted = new Map([...byFile].map(([file, own]) => [file, own.map(({ id }) => id)]));
    this.#isQuick = isQuick;
    this.#reached = reached.toSorted((one, other) => costOf(one) - costOf(other));
    this.#isTimeUp = isTimeUp;
    const tests = reached.flatMap((file) => file.tests);
    this.#targets = mutants.map((mutant) => {
      const { id } = mutant;
      const isStatic = tests.some(({ reachedOutside }) => id in reachedOutside);
      return { id, mutant, isStatic };
    });
    for (const target of this.#targets) {
      if (target.isStatic) this.#alone.set(target, new Set(this.#filesFor(target)));
      const isReached = target.isStatic || tests.some(({ reached: own }) => target.id in own);
      this.findings.set(target.mutant, { status: isReached ? "Pending" : "NoCoverage" });
    }
  }

  async run(lanes: Lane[]): Promise<void> {
    const worklist = new Worklist(this.#reached, this.#targets, {
      isPending: (target) => this.#isPending(target),
      testsFor: (target, tests) => this.#testsFor(target, tests),
    });
    await this.#takeFiles(lanes, worklist);
    for (const [target, file] of worklist.left()) this.#postpone(target, file);
    const targets = this.#targets.filter((target) => this.#isPending(target));
    await Promise.all(lanes.map((lane) => this.#takeAlone(lane, targets)));
  }

  #isPending({ mutant }: Target): boolean {
    return this.findings.get(mutant)?.status === "Pending";
  }

  async #takeFiles(lanes: Lane[], worklist: Worklist): Promise<void> {
    const idle = [...lanes];
    const underWay = new Set<Promise<void>>();
    while (!this.#isTimeUp()) {
      const [lane] = idle;
      const chunks = lane ? worklist.take() : [];
      if (!lane || chunks.length === 0) {
        if (underWay.size === 0) return;
        await Promise.race(underWay);
        continue;
      }
      idle.shift();
      const run = this.#tryChunks(lane, chunks, worklist).finally(() => {
        worklist.release(chunks);
        idle.push(lane);
        underWay.delete(run);
      });
      underWay.add(run);
    }
    await Promise.all(underWay);
  }

  /** Tries the next mutants of some files in these. */
  async #tryChunks(lane: Lane, chunks: Chunk[], worklist: Worklist): Promise<void> {
    const plan: Record<string, Switched[]> = {};
    const files = chunks.map(({ work }) => work.of.file);
    let usualMs = Math.max(...files.map(startMs));
    for (const { work, targets } of chunks) {
      const { tests } = work.of;
      for (const target of targets) {
        const own = this.#testsFor(target, tests);
        usualMs += msOf(own);
        for (const { id } of own) (plan[id] ??= []).push(switchOn(target, tests));
      }
    }
    const results = (await lane.run(files, { kind: "many", mutantsByTest: plan }, usualMs))?.tests;
    for (const chunk of chunks) {
      const alone = results ? worklist.putBack(chunk, this.#judge(chunk, results)) : worklist.giveBack(chunk);
      for (const target of alone) this.#postpone(target, chunk.work.of.file);
    }
  }

  /** Takes over what a run found out. @returns the mutants that need a fresh runtime */
  #judge({ work, targets }: Chunk, results: LaneResponse["tests"]): Target[] {
    const { file, tests } = work.of;
    const own = results.filter(({ id }) => tests.some((test) => test.id === id));
    return targets.filter((target) => {
      const planned = this.#testsFor(target, tests);
      const found = own.flatMap(({ verdicts }) => verdicts[target.id] ?? []);
      this.#survived.set(target, (this.#survived.get(target) ?? 0) + msOf(planned));
      const killer = own.find(({ verdicts }) => verdicts[target.id] === "killed");
      if (killer) this.findings.set(target.mutant, { status: "Killed", killedBy: killer.name });
      else if (found.length === planned.length && !found.includes("survived")) this.#postpone(target, file);
      return !killer && found.length < planned.length;
    });
  }

  /** The tests of a file that a mutant is tried in: all that reach it, or in a quick run the cheapest of them. */
  #testsFor(target: Target, tests: ReachedTest[]): ReachedTest[] {
    const reaching = tests.filter(({ reached }) => target.id in reached);
    if (!this.#isQuick) return reaching;
    let ms = this.#survived.get(target) ?? 0;
    return reaching
      .toSorted((one, other) => one.ms - other.ms)
      .filter((test) => {
        const isWithin = ms < QUICK_MS;
        ms += test.ms;
        return isWithin;
      });
  }

  #postpone(target: Target, file: TestFile): void {
    this.#alone.set(target, (this.#alone.get(target) ?? new Set()).add(file));
  }

  async #takeAlone(lane: Lane, targets: Target[]): Promise<void> {
    for (let target = targets.shift(); target; target = targets.shift()) {
      const alone = this.#alone.get(target) ?? new Set();
      for (const run of runsOf(this.#reached.filter(({ file }) => alone.has(file)))) {
        if (!this.#isPending(target) || this.#isTimeUp()) break;
        const outcome = await this.#tryAlone(lane, run, target);
        if (outcome === "survived") for (const { file } of run) alone.delete(file);
        else if (outcome) this.findings.set(target.mutant, outcome);
      }
      const isUndecided = this.#isQuick && (this.#survived.get(target) ?? 0) > 0;
      if (this.#isPending(target) && !this.#alone.get(target)?.size && !isUndecided) {
        this.findings.set(target.mutant, { status: "Survived" });
      }
    }
  }

  /**
   * A time-out counts where the same run ends in time without the mutant, and is late once more with it.
   * @returns null where the machine is too busy to tell
   */
  async #tryAlone(lane: Lane, run: ReachedFile[], target: Target): Promise<Finding | "survived" | null> {
    const files = run.map(({ file }) => file);
    const usualMs = run.reduce((sum, of) => sum + costOf(of), 0);
    const mutant = switchOn(
      target,
      run.flatMap(({ tests }) => tests),
    );
    for (const tried of [mutant, null, mutant]) {
      const result = await lane.run(files, { kind: "one", mutant: tried }, usualMs);
      const isLate = !result || result.isLate;
      const failure = result?.failures[0]?.name;
      if (tried === null && (isLate || failure !== undefined)) return null;
      if (tried === null || isLate) continue;
      return failure === undefined ? "survived" : { status: "Killed", killedBy: failure };
    }
    return { status: "Timeout" };
  }

  /**
   * The files whose tests reach most of what can be reached in the mutant's source file. Where nothing can be, as in a table
   * of words, those that load least beside it.
   */
  #filesFor({ mutant }: Target): TestFile[] {
    // Also those that this run doesn't try: else a file that happens to be cheap would stand for one that knows.
    const ids = this.#planted.get(mutant.file) ?? [];
    const known = ({ tests }: ReachedFile) =>
      ids.filter((id) => tests.some(({ reached }) => id in reached)).length;
    const breadth = ({ loads }: ReachedFile) => [...this.#planted.keys()].filter(loads).length;
    return this.#reached
      .filter(({ loads }) => loads(mutant.file))
      .map((one) => ({ file: one.file, share: known(one) / costOf(one), breadth: breadth(one) }))
      .toSorted((one, other) => other.share - one.share || one.breadth - other.breadth)
      .slice(0, FILES_PER_STATIC_MUTANT)
      .map(({ file }) => file);
  }

  progress(): string {
    const counts = Object.groupBy(this.findings.values(), ({ status }) => status);
    return Object.entries(counts)
      .map(([status, found]) => `${found?.length} ${status.toLowerCase()}`)
      .join(", ");
  }
}

/** Files of one suite share a run, the cheapest first. */
function runsOf(files: readonly ReachedFile[]): ReachedFile[][] {
  return [...Map.groupBy(files, ({ file }) => file.project).values()].flatMap((own) =>
    own.flatMap((_, index) =>
      index % FILES_PER_RUN_ALONE === 0 ? [own.slice(index, index + FILES_PER_RUN_ALONE)] : [],
    ),
  );
}

/** A loop that a fault makes endless is left where it is reached many times as often as usual in all of the file. */
function switchOn({ id }: Target, tests: ReachedTest[]): Switched {
  const hits = tests.reduce((sum, { reached }) => sum + (reached[id] ?? 0), 0);
  return { id, hitLimit: 10 * hits + 5_000 };
}
