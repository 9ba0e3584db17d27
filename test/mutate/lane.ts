import { fork, type ChildProcess } from "node:child_process";
import {
  laneResponse,
  type BuiltPage,
  type LaneRequest,
  type LaneResponse,
  type Plan,
  type TestFile,
} from "./lane-protocol.ts";

/** When a run is given up: on a busy machine it takes many times as long as usual. */
const COUNT_LIMIT_MS = 180_000;
const FURTHER_COUNT_LIMIT_MS = 30_000;
const SLOWNESS = 8;
const LEAST_LIMIT_MS = 60_000;
const OPEN_LIMIT_MS = 120_000;
const TRIES = 3;

/** A process that runs tests, and that can be killed with the runtimes it started. */
export class Lane {
  readonly #sources: Map<string, string>;
  readonly #page: BuiltPage | null;
  #process: ChildProcess | undefined;

  /** With a built page, it runs that page's stories in place of other tests. */
  constructor(sources: Map<string, string>, page: BuiltPage | null = null) {
    this.#sources = sources;
    this.#page = page;
  }

  /** The files whose names contain one of `tests`, or all files. */
  async list(tests: string[]): Promise<TestFile[]> {
    const response = await this.#ask({ kind: "list", tests }, OPEN_LIMIT_MS);
    if (!response) throw new Error("Vitest does not start");
    return response.files;
  }

  /** Runs files of one suite in a runtime of their own; null where the run doesn't end. */
  run(files: TestFile[], plan: Plan, usualMs: number): Promise<LaneResponse | null> {
    return this.#ask({ kind: "run", files, plan }, LEAST_LIMIT_MS + SLOWNESS * usualMs);
  }

  /**
   * Runs files of one suite without a mutant, in one runtime, which loads the product once.
   * @returns the tests of each file; null for one that has to be counted alone
   */
  async countTogether(files: TestFile[]): Promise<(LaneResponse["tests"] | null)[]> {
    const limitMs = COUNT_LIMIT_MS + files.length * FURTHER_COUNT_LIMIT_MS;
    const response = await this.#ask({ kind: "run", files, plan: { kind: "count" } }, limitMs);
    const failed = new Set(response?.failures.map(({ moduleId }) => moduleId));
    return files.map(({ moduleId }) => {
      const tests = response?.tests.filter((test) => test.moduleId === moduleId) ?? [];
      const isCounted = tests.some(({ reached }) => Object.keys(reached).length > 0);
      return isCounted && !failed.has(moduleId) ? tests : null;
    });
  }

  /**
   * Runs a file without a mutant. A busy machine may need more than one try.
   * @returns what failed and how, if it fails all the same
   */
  async count(file: TestFile): Promise<LaneResponse["tests"] | string> {
    let failure = `${file.moduleId}: no answer`;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const request: LaneRequest = { kind: "run", files: [file], plan: { kind: "count" } };
      const response = await this.#ask(request, COUNT_LIMIT_MS);
      const isCounted = response?.tests.some(({ reached }) => Object.keys(reached).length > 0);
      // On a busy machine all counts of a file were lost once.
      const [failed] = response?.failures ?? [];
      if (response && failed === undefined && (isCounted || tries > 0)) return response.tests;
      if (failed) failure = `${failed.name}\n${failed.error}`;
    }
    return failure;
  }

  close(): void {
    const { pid } = this.#process ?? {};
    this.#process = undefined;
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  }

  async #ask(request: LaneRequest, limitMs: number): Promise<LaneResponse | null> {
    if (!this.#process) {
      const module = new URL("lane-process.ts", import.meta.url);
      this.#process = fork(module, { detached: true, serialization: "advanced", stdio: "ignore" });
      await this.#send(
        this.#process,
        { kind: "open", sources: this.#sources, page: this.#page },
        OPEN_LIMIT_MS,
      );
    }
    const response = this.#process && (await this.#send(this.#process, request, limitMs));
    return response ?? null;
  }

  async #send(child: ChildProcess, request: LaneRequest, limitMs: number): Promise<LaneResponse | null> {
    const answered = Promise.withResolvers<LaneResponse | null>();
    const onMessage = (message: unknown) => answered.resolve(laneResponse.parse(message));
    const onExit = () => {
      this.#process = undefined;
      answered.resolve(null);
    };
    child.once("message", onMessage).once("exit", onExit);
    const timer = setTimeout(() => {
      this.close();
      answered.resolve(null);
    }, limitMs);
    child.send(request);
    const response = await answered.promise;
    clearTimeout(timer);
    child.off("message", onMessage).off("exit", onExit);
    return response;
  }
}
