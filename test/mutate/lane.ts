import { fork, type ChildProcess } from "node:child_process";
import {
  laneResponse,
  type LaneRequest,
  type LaneResponse,
  type Plan,
  type TestFile,
} from "./lane-protocol.ts";

/** When a run is given up: on a busy machine it takes many times as long as usual. */
const COUNT_LIMIT_MS = 180_000;
const SLOWNESS = 8;
const LEAST_LIMIT_MS = 15_000;
const OPEN_LIMIT_MS = 120_000;
const TRIES = 3;

/** A process that runs tests, and that can be killed with the runtimes it started. */
export class Lane {
  readonly #sources: Map<string, string>;
  #process: ChildProcess | undefined;

  constructor(sources: Map<string, string>) {
    this.#sources = sources;
  }

  /** The files whose names contain one of `tests`, or all files. */
  async list(tests: string[]): Promise<TestFile[]> {
    const response = await this.#ask({ kind: "list", tests }, OPEN_LIMIT_MS);
    if (!response) throw new Error("Vitest does not start");
    return response.files;
  }

  /** Runs a file in a runtime of its own; null where the run doesn't end. */
  run(file: TestFile, plan: Plan, usualMs: number): Promise<LaneResponse | null> {
    return this.#ask({ kind: "run", file, plan }, LEAST_LIMIT_MS + SLOWNESS * usualMs);
  }

  /**
   * Runs a file without a mutant. A busy machine may need more than one try.
   * @returns what failed, if it fails all the same
   */
  async count(file: TestFile): Promise<LaneResponse["tests"] | string> {
    let failure = file.moduleId;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const response = await this.#ask({ kind: "run", file, plan: { kind: "count" } }, COUNT_LIMIT_MS);
      const isCounted = response?.tests.some(({ reached }) => Object.keys(reached).length > 0);
      // On a busy machine all counts of a file were lost once.
      if (response && response.failure === null && (isCounted || tries > 0)) return response.tests;
      failure = response?.failure ?? failure;
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
      await this.#send(this.#process, { kind: "open", sources: this.#sources }, OPEN_LIMIT_MS);
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
