import {
  NODE_IDENTITY,
  UNIT_SUITES,
  type ReachedTest,
  type Switched,
  type TestFile,
} from "./lane-protocol.ts";
import type { Lane } from "./lane.ts";
import type { Mutant } from "./mutants.ts";

/** Pending: not tried, or the time was up. */
export const STATUSES = ["Killed", "Timeout", "Survived", "NoCoverage", "Pending"] as const;
export type Status = (typeof STATUSES)[number];

/** The result for a mutant. */
export type Finding = { status: Status; killedBy?: string };

/** Which mutants the tests of each file reached. */
export type Reached = ReachedFile[];
type ReachedFile = { file: TestFile; tests: ReachedTest[] };

/** A mutant on from the first import on is tried in the files that know most of its source file. */
const FILES_PER_STATIC_MUTANT = 8;
/** The time of the tests in one run with many mutants, as far as the run without mutants tells. */
const CHUNK_MS = 10_000;
const CHUNK_SIZE = 50;
/** In a quick run, a mutant that survived tests that take so long together stays undecided. */
const QUICK_MS = 2_000;
const SMALL_CHUNK = 4;
type Target = {
  id: string;
  mutant: Mutant;
  /** Reached while modules load: it has to be on by then, too. */
  isStatic: boolean;
};

/** The remaining work in a file. */
type Work = {
  of: ReachedFile;
  waiting: Target[];
  /** How many mutants are tried in one run. */
  size: number;
  /** The value of the last run. */
  killsPerMs: number;
  wasSpoiled: boolean;
  isOver: boolean;
};

/** All mutants against all tests that reach them, by several lanes at once. */
export class Trial {
  readonly findings = new Map<Mutant, Finding>();
  readonly #reached: Reached;
  readonly #targets: Target[];
  /** Files that a mutant still has to be tried in alone. */
  readonly #alone = new Map<Target, Set<TestFile>>();
  /** All mutants of each source file. */
  readonly #planted: Map<string, string[]>;
  readonly #isTimeUp: () => boolean;
  readonly #isQuick: boolean;
  /** How long the tests take that each mutant has survived. */
  readonly #survived = new Map<Target, number>();

  constructor(
    reached: Reached,
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
    const works = this.#reached.map((of): Work => {
      const waiting = this.#targets.filter(({ id }) => of.tests.some(({ reached }) => id in reached));
      return { of, waiting, size: CHUNK_SIZE, killsPerMs: Infinity, wasSpoiled: false, isOver: false };
    });
    await Promise.all(lanes.map((lane) => this.#takeFiles(lane, works)));
    const targets = this.#targets.filter((target) => this.#isPending(target));
    await Promise.all(lanes.map((lane) => this.#takeAlone(lane, targets)));
  }

  #isPending({ mutant }: Target): boolean {
    return this.findings.get(mutant)?.status === "Pending";
  }

  /** Goes on where most mutants were noticed for the time spent, so that few are left for files that notice little. */
  async #takeFiles(lane: Lane, works: Work[]): Promise<void> {
    for (let work = takeBest(works); work; work = takeBest(works)) {
      if (!this.#isTimeUp()) await this.#tryNext(lane, work);
      if (work.isOver || this.#isTimeUp()) {
        for (const target of work.waiting) if (this.#isPending(target)) this.#postpone(target, work.of.file);
      } else if (work.waiting.length > 0) works.push(work);
    }
  }

  /** Tries the next mutants of a file in it. */
  async #tryNext(lane: Lane, work: Work): Promise<void> {
    const { of, waiting } = work;
    const chunk = this.#takeChunk(waiting, work.size, of.tests).filter((target) => this.#isPending(target));
    if (chunk.length === 0) return;
    const begunAt = performance.now();
    const undone = await this.#tryChunk(lane, of, chunk);
    const killed = chunk.filter((target) => !this.#isPending(target)).length;
    work.killsPerMs = killed / (performance.now() - begunAt);
    if (undone === null) {
      // One of them never ends: it is found in small runs, then held against a run without a mutant.
      const [only] = chunk;
      if (chunk.length === 1 && only) this.#postpone(only, of.file);
      else waiting.unshift(...chunk);
      work.size = chunk.length > SMALL_CHUNK ? SMALL_CHUNK : 1;
      return;
    }
    // Where a runtime is spoiled at once, the first mutant is tried alone and the others follow.
    const [first, ...others] = undone;
    const isSpoiled = undone.length === chunk.length;
    if (isSpoiled && first) this.#postpone(first, of.file);
    waiting.unshift(...(isSpoiled ? others : undone));
    const half = Math.max(SMALL_CHUNK, Math.ceil(work.size / 2));
    work.size = undone.length > 0 ? half : Math.min(CHUNK_SIZE, work.size * 2);
    // Twice in a row: its tests can't be repeated, and other files may notice the rest.
    work.isOver = isSpoiled && work.wasSpoiled;
    work.wasSpoiled = isSpoiled;
  }

  /** Takes mutants off the list until their tests take long enough. */
  #takeChunk(waiting: Target[], size: number, tests: ReachedTest[]): Target[] {
    const chunk: Target[] = [];
    let ms = 0;
    while (waiting.length > 0 && chunk.length < size && (ms < CHUNK_MS || chunk.length === 0)) {
      const [target] = waiting.splice(0, 1);
      if (!target) break;
      const own = this.#testsFor(target, tests);
      if (own.length === 0) continue;
      chunk.push(target);
      ms += msOf(own);
    }
    return chunk;
  }

  /** Returns the mutants that need a fresh runtime; null where the run doesn't end. */
  async #tryChunk(lane: Lane, { file, tests }: ReachedFile, chunk: Target[]): Promise<Target[] | null> {
    const chosen = new Map(chunk.map((target) => [target, this.#testsFor(target, tests)]));
    const plan = Object.fromEntries(
      tests
        .map((test) => [test.id, chunk.filter((target) => chosen.get(target)?.includes(test))] as const)
        .filter(([, own]) => own.length > 0)
        .map(([id, own]) => [id, own.map((target) => switchOn(target, tests))]),
    );
    const usualMs = startMs(file) + [...chosen.values()].reduce((sum, own) => sum + msOf(own), 0);
    const results = (await lane.run(file, { kind: "many", mutantsByTest: plan }, usualMs))?.tests;
    if (!results) return null;
    return chunk.filter((target) => {
      const planned = chosen.get(target)?.length ?? 0;
      if (planned === 0) return false;
      const found = results.flatMap(({ verdicts }) => verdicts[target.id] ?? []);
      this.#survived.set(target, (this.#survived.get(target) ?? 0) + msOf(chosen.get(target) ?? []));
      const killer = results.find(({ verdicts }) => verdicts[target.id] === "killed");
      if (killer) this.findings.set(target.mutant, { status: "Killed", killedBy: killer.name });
      else if (found.length === planned && !found.includes("survived")) this.#postpone(target, file);
      return !killer && found.length < planned;
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
      for (const file of this.#alone.get(target) ?? []) {
        const tests = this.#reached.find((one) => one.file === file)?.tests;
        if (!tests || !this.#isPending(target) || this.#isTimeUp()) continue;
        const outcome = await this.#tryAlone(lane, { file, tests }, switchOn(target, tests));
        if (outcome === "survived") this.#alone.get(target)?.delete(file);
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
  async #tryAlone(lane: Lane, of: ReachedFile, mutant: Switched): Promise<Finding | "survived" | null> {
    for (const tried of [mutant, null, mutant]) {
      const result = await lane.run(of.file, { kind: "one", mutant: tried }, costOf(of));
      const isLate = !result || result.isLate;
      if (tried === null && (isLate || result.failure !== null)) return null;
      if (tried === null || isLate) continue;
      return result.failure === null ? "survived" : { status: "Killed", killedBy: result.failure };
    }
    return { status: "Timeout" };
  }

  /** The files whose tests reach most of what can be reached in the mutant's source file. */
  #filesFor({ mutant }: Target): TestFile[] {
    // Also those that this run doesn't try: else a file that happens to be cheap would stand for one that knows.
    const ids = this.#planted.get(mutant.file) ?? [];
    const known = ({ tests }: ReachedFile) =>
      ids.filter((id) => tests.some(({ reached }) => id in reached)).length;
    return this.#reached
      .filter(({ tests }) => tests.some(({ reachedOutside }) => mutant.id in reachedOutside))
      .map((one) => ({ file: one.file, share: known(one) / costOf(one) }))
      .toSorted((one, other) => other.share - one.share)
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

/** The cost of starting a runtime: workerd takes longer than Node. */
function startMs({ project }: TestFile): number {
  return project === NODE_IDENTITY || UNIT_SUITES.includes(project) ? 500 : 2_500;
}

function costOf({ file, tests }: ReachedFile): number {
  return startMs(file) + msOf(tests);
}

function msOf(tests: ReachedTest[]): number {
  return tests.reduce((sum, { ms }) => sum + ms, 0);
}

/** A loop that a fault makes endless is left where it is reached many times as often as usual in all of the file. */
function switchOn({ id }: Target, tests: ReachedTest[]): Switched {
  const hits = tests.reduce((sum, { reached }) => sum + (reached[id] ?? 0), 0);
  return { id, hitLimit: 10 * hits + 5_000 };
}

/** Of works that are worth the same, the first: it costs least. */
function takeBest(works: Work[]): Work | undefined {
  const most = Math.max(...works.map(({ killsPerMs }) => killsPerMs));
  const best = works.find(({ killsPerMs }) => killsPerMs === most);
  if (best) works.splice(works.indexOf(best), 1);
  return best;
}
