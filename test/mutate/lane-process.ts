import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { mergeConfig, type Plugin } from "vite";
import { createVitest, type TestCase, type TestRunResult, type Vitest } from "vitest/node";
import identity from "../identity/vitest.config.ts";
import { root, shared, unitSuites } from "../unit.config.ts";
import worker from "../worker/vitest.config.ts";
import {
  laneRequest,
  NODE_IDENTITY,
  UNIT_SUITES,
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
  const response: LaneResponse = { files: [], failure: null, isLate: false, tests: [] };
  if (request.kind === "open") {
    vitest = await openVitest(request.sources);
    return response;
  }
  if (!vitest) throw new Error("the lane is not open");
  if (request.kind === "list") {
    const specifications = await vitest.globTestSpecifications(request.tests);
    const files = specifications.map(({ project, moduleId }) => ({ project: project.name, moduleId }));
    return { ...response, files };
  }
  const result = await run(vitest, request.file, request.plan);
  const tests = testsOf(result).map((test) => ({
    id: test.id,
    name: nameOf(test),
    ms: test.diagnostic()?.duration ?? 0,
    reached: test.meta().reached ?? {},
    reachedOutside: test.meta().reachedOutside ?? {},
    verdicts: test.meta().verdicts ?? {},
  }));
  return { ...response, failure: failureOf(result), isLate: isLate(result), tests };
}

async function run(open: Vitest, { project, moduleId }: TestFile, plan: Plan): Promise<TestRunResult> {
  open.provide("mutationPlan", plan);
  open.config.bail = plan.kind === "one" ? 1 : 0;
  const options = plan.kind === "many" ? { testIds: Object.keys(plan.mutantsByTest) } : undefined;
  const specification = open.getProjectByName(project).createSpecification(moduleId, options);
  const { testModules, unhandledErrors } = await open.runTestSpecifications([specification]);
  // Other files' remains tell nothing about this run.
  const own = testModules.filter((module) => module.moduleId === moduleId && module.project.name === project);
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
  const units = unitSuites.filter(({ test }) => UNIT_SUITES.includes(test.name));
  const suites = [...units, ...identitySuites(), await worker({ command: "serve", mode: "test" })];
  const projects = suites.map((config) => mergeConfig(over, config));
  return createVitest(
    "test",
    { config: false, root, watch: false, reporters: [{}], silent: true },
    { root, test: { ...shared, maxWorkers: 1, projects } },
  );
}

/** These tests need behavior of workerd and of a bundled client. */
const WORKERD_ONLY = ["test/identity/sdk.test.ts"];

/** Most tests of the user pool run in Node, too, where a file starts in a tenth of the time. */
function identitySuites() {
  const { root: folder, ...given } = identity;
  const workers = fileURLToPath(new URL("../identity/workers-in-node.ts", import.meta.url));
  const inNode = {
    root: folder,
    resolve: { alias: { "cloudflare:workers": workers } },
    test: {
      ...shared,
      name: NODE_IDENTITY,
      include: ["test/identity/**/*.test.ts"],
      exclude: WORKERD_ONLY,
    },
  };
  const inWorkerd = { ...given, root: folder, test: { ...given.test, include: WORKERD_ONLY } };
  return [inNode, inWorkerd];
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

function failureOf(result: TestRunResult): string | null {
  const test = testsOf(result).find((one) => one.result().state === "failed");
  if (test) return nameOf(test);
  const broken = result.testModules.find((module) => module.state() === "failed");
  if (broken) return broken.relativeModuleId;
  return result.unhandledErrors.length > 0 ? "an unhandled error" : null;
}
