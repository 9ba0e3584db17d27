import { isInNode, type ReachedTest, type TestFile } from "./lane-protocol.ts";
import type { Mutant } from "./mutants.ts";

/** Which mutants the tests of a file reached, and which source files it loads. */
export type ReachedFile = { file: TestFile; tests: ReachedTest[]; loads: (source: string) => boolean };

export type Target = {
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
  /** The share of the mutants that were noticed in the last run. */
  killRate: number;
  wasSpoiled: boolean;
  /** A run with it didn't end, so that it runs alone. */
  isEndless: boolean;
};

/** Some mutants of a file, for a run. */
export type Chunk = { work: Work; targets: Target[] };

/** The time of the tests in one run with many mutants, as far as the run without mutants tells. */
const RUN_MS = 10_000;
const CHUNK_SIZE = 50;
const SMALL_CHUNK = 4;
/** How many files share a run, which loads the product once. */
const FILES_PER_RUN = 12;

/** Which mutants are tried next, and in which files of tests. */
export class Worklist {
  readonly #works: Work[];
  readonly #isPending: (target: Target) => boolean;
  readonly #testsFor: (target: Target, tests: ReachedTest[]) => ReachedTest[];
  /** Mutants that a lane is trying. */
  readonly #busy = new Set<Target>();

  constructor(
    reached: readonly ReachedFile[],
    targets: readonly Target[],
    {
      isPending,
      testsFor,
    }: {
      isPending: (target: Target) => boolean;
      testsFor: (target: Target, tests: ReachedTest[]) => ReachedTest[];
    },
  ) {
    this.#isPending = isPending;
    this.#testsFor = testsFor;
    this.#works = reached.map((of): Work => {
      const waiting = targets.filter(({ id }) => of.tests.some((test) => id in test.reached));
      return { of, waiting, size: CHUNK_SIZE, killRate: 1, wasSpoiled: false, isEndless: false };
    });
  }

  /** The open mutants, each with a file that it waits for. */
  left(): [Target, TestFile][] {
    return this.#works.flatMap(({ of, waiting }) =>
      waiting.filter(this.#isPending).map((target): [Target, TestFile] => [target, of.file]),
    );
  }

  /**
   * Takes mutants off the lists of files of one suite until their tests take long enough. Goes on where most is noticed for
   * the time spent, so that little is left for files that notice little.
   */
  take(): Chunk[] {
    for (const work of this.#works) work.waiting = work.waiting.filter(this.#isPending);
    const value = ({ of, waiting, killRate }: Work) =>
      (killRate * waiting.filter((target) => !this.#busy.has(target)).length) / costOf(of);
    const chunks: Chunk[] = [];
    let ms = 0;
    for (const work of this.#works.toSorted((one, other) => value(other) - value(one))) {
      const [first] = chunks;
      if (ms >= RUN_MS || chunks.length >= FILES_PER_RUN || first?.work.isEndless) break;
      if (first && (work.isEndless || work.of.file.project !== first.work.of.file.project)) continue;
      const targets = this.#takeFrom(work, RUN_MS - ms);
      if (targets.length === 0) continue;
      chunks.push({ work, targets });
      for (const target of targets) {
        ms += msOf(this.#testsFor(target, work.of.tests));
        this.#busy.add(target);
      }
    }
    return chunks;
  }

  #takeFrom(work: Work, limitMs: number): Target[] {
    const taken: Target[] = [];
    let ms = 0;
    for (const target of work.waiting) {
      if (taken.length >= work.size || ms >= limitMs) break;
      if (this.#busy.has(target)) continue;
      taken.push(target);
      ms += msOf(this.#testsFor(target, work.of.tests));
    }
    work.waiting = work.waiting.filter((target) => !taken.includes(target));
    // In a quick run, others have tried them long enough.
    return taken.filter((target) => this.#testsFor(target, work.of.tests).length > 0);
  }

  /** Ends a run: others may try its mutants. */
  release(chunks: readonly Chunk[]): void {
    for (const { targets } of chunks) for (const target of targets) this.#busy.delete(target);
  }

  /**
   * A run didn't end, since one of its mutants never does, which is found in small runs.
   * @returns the mutants to hold against a run without one
   */
  giveBack({ work, targets }: Chunk): Target[] {
    if (work.isEndless && targets.length === 1) return targets;
    work.waiting.unshift(...targets);
    if (work.isEndless) work.size = targets.length > SMALL_CHUNK ? SMALL_CHUNK : 1;
    work.isEndless = true;
    return [];
  }

  /**
   * Puts back the mutants of a run that need a fresh runtime.
   * @returns the mutants to be tried alone
   */
  putBack({ work, targets }: Chunk, undone: readonly Target[]): Target[] {
    work.killRate = targets.filter((target) => !this.#isPending(target)).length / targets.length;
    // Where a runtime is spoiled at once, the first mutant is tried alone and the others follow.
    const [first, ...others] = undone;
    const isSpoiled = undone.length === targets.length;
    work.waiting.unshift(...(isSpoiled ? others : undone));
    const half = Math.max(SMALL_CHUNK, Math.ceil(work.size / 2));
    work.size = undone.length > 0 ? half : Math.min(CHUNK_SIZE, work.size * 2);
    // Twice in a row: its tests can't be repeated, and other files may notice the rest.
    const rest = isSpoiled && work.wasSpoiled ? work.waiting.splice(0) : [];
    work.wasSpoiled = isSpoiled;
    return isSpoiled && first ? [first, ...rest] : rest;
  }
}

/** The cost of starting a runtime: workerd takes longer than Node. */
export function startMs(file: TestFile): number {
  return isInNode(file) ? 500 : 2_500;
}

export function costOf({ file, tests }: Pick<ReachedFile, "file" | "tests">): number {
  return startMs(file) + msOf(tests);
}

export function msOf(tests: readonly ReachedTest[]): number {
  return tests.reduce((sum, { ms }) => sum + ms, 0);
}
