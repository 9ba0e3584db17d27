import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { mergeConfig, type Plugin, type UserConfig } from "vite";
import { createVitest, type TestCase, type TestRunResult, type Vitest } from "vitest/node";
import * as z from "zod";
import { identityInWorkerd, identitySuite } from "../identity/identity-suites.ts";
import { EXTENDED, root, shared, unitSuites } from "../unit.config.ts";
import { browserSuite, sandboxSuite } from "../vitest.config.ts";
import { workerSuite } from "../worker/worker-suite.ts";
import {
  laneRequest,
  UNIT_SUITES,
  type BuiltPage,
  type LaneRequest,
  type LaneResponse,
  type Plan,
  isTimeout,
  type TestFile,
} from "./lane-protocol.ts";

// One long-lived Vitest, in which every mutant of every file stands behind a switch.
let vitest: Vitest | undefined;

process.on("message", (message) => {
  void respond(laneRequest.parse(message)).then((response) => process.send?.(response));
});
// Ends the runtimes of this process too, of which one may be caught in a loop.
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));

async function respond(request: LaneRequest): Promise<LaneResponse> {
  const response: LaneResponse = { files: [], failures: [], isLate: false, tests: [] };
  if (request.kind === "open") {
    vitest = await (request.page === null ? openVitest(request.sources) : openPages(request.page));
    return response;
  }
  if (!vitest) throw new Error("the lane is not open");
  if (request.kind === "list") {
    const specifications = await vitest.globTestSpecifications(request.tests);
    const files = specifications.map(({ project, moduleId }) => ({ project: project.name, moduleId }));
    return { ...response, files };
  }
  const result = await run(vitest, request.files, request.plan);
  const tests = testsOf(result).map((test) => ({
    id: test.id,
    moduleId: test.module.moduleId,
    name: nameOf(test),
    ms: test.diagnostic()?.duration ?? 0,
    reached: test.meta().reached ?? {},
    reachedOutside: test.meta().reachedOutside ?? {},
    verdicts: test.meta().verdicts ?? {},
  }));
  return { ...response, failures: failuresOf(result), isLate: isLate(result), tests };
}

/** Runs files of one suite, one after the other in one runtime. */
async function run(open: Vitest, files: TestFile[], plan: Plan): Promise<TestRunResult> {
  open.provide("mutationPlan", plan);
  open.config.bail = plan.kind === "one" ? 1 : 0;
  const options = plan.kind === "many" ? { testIds: Object.keys(plan.mutantsByTest) } : undefined;
  const { testModules, unhandledErrors } = await open.runTestSpecifications(
    files.map(({ project, moduleId }) =>
      open.getProjectByName(project).createSpecification(moduleId, options),
    ),
  );
  // Other files' remains tell nothing about this run.
  const own = testModules.filter((module) =>
    files.some(({ project, moduleId }) => module.moduleId === moduleId && module.project.name === project),
  );
  return { testModules: own, unhandledErrors };
}

function openVitest(sources: Map<string, string>): Promise<Vitest> {
  const plant: Plugin = {
    name: "plant-mutants",
    enforce: "pre",
    transform: (_code, id) => {
      const code = sources.get(relative(root, id.split("?")[0] ?? ""));
      return code === undefined ? undefined : { code, map: null };
    },
  };
  return openSuites({
    plugins: [plant],
    test: {
      setupFiles: [fileURLToPath(new URL("active-mutant.ts", import.meta.url))],
      // Mutants of one run would be taken for those of the next.
      fsModuleCache: false,
    },
  });
}

async function openSuites(over: { plugins: Plugin[]; test: object }): Promise<Vitest> {
  const units = unitSuites.filter(({ test }) => UNIT_SUITES.includes(test.name)).map(withExtended);
  const suites = [
    ...units,
    withExtended(sandboxSuite),
    identitySuite,
    await identityInWorkerd("identity-in-workerd", identitySuite.test.exclude),
    await workerSuite("worker", { include: ["test/worker/**/*.test.ts"] }),
  ];
  return createSuites(suites.map((config) => mergeConfig(over, config)));
}

async function openPages({ folder, mutants }: BuiltPage): Promise<Vitest> {
  process.env["BUILD_DIR"] = folder;
  const setupFiles = ["active-mutant.ts", "page-mutant.ts"].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  const open = await createSuites([mergeConfig({ test: { setupFiles } }, withExtended(browserSuite))]);
  open.provide("pageMutants", mutants);
  return open;
}

/** A suite with the tests that `npm test` leaves out, and without those of another suite. */
function withExtended<Suite extends { test: { exclude?: string[] } }>(suite: Suite) {
  const exclude = suite.test.exclude?.filter((glob) => glob !== EXTENDED) ?? [];
  return { ...suite, test: { ...suite.test, exclude } };
}

/** There is a lane for each core, and a runtime in each. */
const ALONE = { maxWorkers: 1, sequence: { groupOrder: 0 } };

function createSuites(projects: UserConfig[]): Promise<Vitest> {
  return createVitest(
    "test",
    { config: false, root, watch: false, reporters: [{}], silent: true },
    {
      root,
      test: { ...shared, ...ALONE, projects: projects.map((suite) => mergeConfig(suite, { test: ALONE })) },
    },
  );
}

function testsOf({ testModules }: TestRunResult): TestCase[] {
  return testModules.flatMap((module) => [...module.children.allTests()]);
}

function nameOf(test: TestCase): string {
  return `${test.module.relativeModuleId} > ${test.fullName}`;
}

function isLate(result: TestRunResult): boolean {
  return testsOf(result).some((test) => test.result().errors?.some(({ message }) => isTimeout(message)));
}

/** An error outside of tests may be any file's. */
function failuresOf({ testModules, unhandledErrors }: TestRunResult): LaneResponse["failures"] {
  return testModules.flatMap((module) => {
    const { moduleId, relativeModuleId } = module;
    const test = [...module.children.allTests()].find((one) => one.result().state === "failed");
    if (test) return { moduleId, name: nameOf(test), error: firstLines(test.result().errors) };
    // A hook or an import that fails: the module's own error, or that of one of its suites.
    const suites = [module, ...module.children.allSuites()];
    const errors = suites.flatMap((suite) => suite.errors());
    if (module.state() === "failed") return { moduleId, name: relativeModuleId, error: firstLines(errors) };
    if (unhandledErrors.length === 0) return [];
    return {
      moduleId,
      name: "an unhandled error",
      error: firstLines(unhandledErrors.map((error) => errorShape.parse(error))),
    };
  });
}

const errorShape = z.object({ message: z.string() }).catch({ message: "no message" });
const ERROR_LINES = 5;

/** The first lines of the first error, without a terminal's colors. */
function firstLines(errors: readonly { message: string }[] | undefined): string {
  const lines = stripVTControlCharacters(errors?.[0]?.message ?? "").split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .slice(0, ERROR_LINES)
    .join("\n");
}
