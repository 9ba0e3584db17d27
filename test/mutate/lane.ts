import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { mergeConfig, type Plugin } from "vite";
import { createVitest, type TestCase, type TestModule, type TestRunResult, type Vitest } from "vitest/node";
import identity from "../identity/vitest.config.ts";
import { root, shared, unitSuites } from "../unit.config.ts";
import worker from "../worker/vitest.config.ts";
import type { Plan, Switched, Verdict } from "./active-mutant.ts";

/** When a run is given up. */
const ONE_LIMIT_MS = 90_000;
const MANY_LIMIT_MS = 300_000;

/** A file of tests in one of the suites. */
export type TestFile = { project: string; moduleId: string };

export type ReachedTest = {
  id: string;
  ms: number;
  reached: Record<string, number>;
  reachedOutside: Record<string, number>;
};

/** Which mutants the tests of each file reached. */
export type Reached = { file: TestFile; tests: ReachedTest[] }[];

export type Outcome = { status: "Survived" | "Killed" | "Timeout"; killedBy?: string };

/** One long-lived Vitest, in which every mutant of every file stands behind a switch. */
export class Lane {
  readonly #sources: Map<string, string>;
  #vitest: Vitest;

  private constructor(sources: Map<string, string>, vitest: Vitest) {
    this.#sources = sources;
    this.#vitest = vitest;
  }

  static async open(sources: Map<string, string>): Promise<Lane> {
    return new Lane(sources, await openVitest(sources));
  }

  /** Runs every `of`th file of those whose names contain one of `tests`, or of all, without a fault and says which mutants each of its tests reached. */
  async reach(tests: string[], index: number, of: number): Promise<Reached> {
    this.#vitest.provide("mutationPlan", { kind: "count" });
    this.#vitest.config.bail = 0;
    const files = await this.#vitest.globTestSpecifications(tests);
    const result = await this.#vitest.runTestSpecifications(files.filter((_, at) => at % of === index));
    const failure = failureOf(result);
    if (failure) throw new Error(`fails without any fault: ${failure.killedBy}`);
    return result.testModules.map((module) => ({
      file: { project: module.project.name, moduleId: module.moduleId },
      tests: testsOf([module]).map((test) => ({
        id: test.id,
        ms: test.diagnostic()?.duration ?? 0,
        reached: test.meta().reached ?? {},
        reachedOutside: test.meta().reachedOutside ?? {},
      })),
    }));
  }

  /** Runs a file, in a runtime of its own, with one mutant. */
  async runOne(file: TestFile, mutant: Switched): Promise<Outcome> {
    const result = await this.#run(file, { kind: "one", mutant }, ONE_LIMIT_MS);
    return result ? (failureOf(result) ?? { status: "Survived" }) : { status: "Timeout" };
  }

  /** Runs a file's tests, all in one runtime, with many mutants in turn; null where the run doesn't end. */
  async runMany(
    file: TestFile,
    mutantsByTest: Record<string, Switched[]>,
  ): Promise<{ name: string; verdicts: Record<string, Verdict> }[] | null> {
    const result = await this.#run(file, { kind: "many", mutantsByTest }, MANY_LIMIT_MS, {
      testIds: Object.keys(mutantsByTest),
    });
    return (
      result &&
      testsOf(result.testModules).map((test) => ({
        name: nameOf(test),
        verdicts: test.meta().verdicts ?? {},
      }))
    );
  }

  async #run(
    file: TestFile,
    plan: Plan,
    limitMs: number,
    options?: { testIds: string[] },
  ): Promise<TestRunResult | null> {
    this.#vitest.provide("mutationPlan", plan);
    this.#vitest.config.bail = plan.kind === "one" ? 1 : 0;
    const project = this.#vitest.getProjectByName(file.project);
    const run = this.#vitest.runTestSpecifications([project.createSpecification(file.moduleId, options)]);
    const late = Promise.withResolvers<null>();
    const timer = setTimeout(() => late.resolve(null), limitMs);
    const result = await Promise.race([run, late.promise]);
    clearTimeout(timer);
    if (result) return result;
    await this.close();
    this.#vitest = await openVitest(this.#sources);
    return null;
  }

  async close(): Promise<void> {
    await this.#vitest.close();
  }
}

async function openVitest(sources: Map<string, string>): Promise<Vitest> {
  const plant: Plugin = {
    name: "plant-mutants",
    enforce: "pre",
    transform: (_code, id) => {
      const code = sources.get(relative(root, id.split("?")[0] ?? ""));
      return code === undefined ? undefined : { code, map: null };
    },
  };
  const over = {
    plugins: [plant],
    test: {
      setupFiles: [fileURLToPath(new URL("active-mutant.ts", import.meta.url))],
      // Mutants of one run would be taken for those of the next.
      fsModuleCache: false,
    },
  };
  const [engine] = unitSuites;
  if (!engine) throw new Error("there is no suite of the engine");
  const projects = [engine, identity, await worker({ command: "serve", mode: "test" })].map((config) =>
    mergeConfig(over, config),
  );
  return createVitest(
    "test",
    { config: false, root, watch: false, reporters: [{}], silent: true },
    { root, test: { ...shared, maxWorkers: 1, projects } },
  );
}

function testsOf(modules: TestModule[]): TestCase[] {
  return modules.flatMap((module) => [...module.children.allTests()]);
}

function nameOf(test: TestCase): string {
  return `${test.module.relativeModuleId} > ${test.fullName}`;
}

function failureOf({ testModules, unhandledErrors }: TestRunResult): Outcome | undefined {
  const test = testsOf(testModules).find((one) => one.result().state === "failed");
  if (test) return { status: "Killed", killedBy: nameOf(test) };
  const broken = testModules.find((module) => module.state() === "failed");
  if (broken) return { status: "Killed", killedBy: broken.relativeModuleId };
  return unhandledErrors.length > 0 ? { status: "Killed", killedBy: "an unhandled error" } : undefined;
}
