import { parseArgs } from "node:util";
import { createVitest, startVitest, type TestCase, type TestModule, type Vitest } from "vitest/node";
import { EXTENDED_SUITES } from "./suite-order.ts";
import { root } from "./unit.config.ts";
import {
  countUnsteady,
  describeUnsteady,
  hasPassed,
  MOST_AGAIN,
  unsteadyOf,
  type FailedStory,
} from "./unsteady.ts";

// `npm test`: runs the given files, or all suites except the longer stories (`npm run test:extended`, `--extended`). Then it
// repeats the browser's and the Worker's stories that failed, each alone: under load a browser and a server can be late at more
// moments than a story's waits foresee.
const CONFIG = "test/vitest.config.ts";
const RUN_AGAIN: readonly string[] = ["browser", "worker", ...EXTENDED_SUITES];
const UNSTEADY_FILE = `${root}/.cache/unsteady.json`;

const {
  values: { extended: isExtended },
  positionals: files,
} = parseArgs({ options: { extended: { type: "boolean", default: false } }, allowPositionals: true });
const usual = files.length > 0 ? {} : { project: EXTENDED_SUITES.map((name) => `!${name}`) };
const suites = isExtended ? { project: [...EXTENDED_SUITES] } : usual;

const vitest = await startVitest("test", files, { config: CONFIG, watch: false, ...suites }, { root });
const modules = vitest.state.getTestModules();
const errors = vitest.state.getUnhandledErrors().length;
await vitest.close();

const failedModules = modules.filter((module) => module.state() === "failed");
const ofStories = failedModules.filter(({ project }) => RUN_AGAIN.includes(project.name));
const stories = ofStories.flatMap(failedStories);
const isWorthIt = stories.length > 0 && stories.length <= MOST_AGAIN;
const passedAgain = isWorthIt ? await runAgain(ofStories) : new Set<string>();
const unsteady = unsteadyOf(stories, passedAgain);
const failed = failedModules.flatMap(failedStories).length - unsteady.length;
if (unsteady.length > 0)
  console.log(describeUnsteady(unsteady, countUnsteady(UNSTEADY_FILE, unsteady, new Date())));
if (isWorthIt) {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const count = (state: string) => tests.filter((test) => test.result().state === state).length;
  console.log(`${count("passed") + unsteady.length} passed, ${failed} failed, ${count("skipped")} skipped`);
}
process.exit(modules.length > 0 && hasPassed({ failed: failed + errors, unsteady }) ? 0 : 1);

/** Runs the failed stories of each file alone, and returns the names of those that pass. */
async function runAgain(files: readonly TestModule[]): Promise<Set<string>> {
  console.log("\nOnce more, alone:");
  const alone = await createVitest(
    "test",
    { config: CONFIG, root, watch: false, project: [...RUN_AGAIN], maxWorkers: 1, reporters: [{}] },
    { root },
  );
  const passed = new Set<string>();
  for (const file of files) for (const name of await runFailed(alone, file)) passed.add(name);
  await alone.close();
  return passed;
}

async function runFailed(alone: Vitest, file: TestModule): Promise<string[]> {
  const testIds = failedTests(file).map(({ id }) => id);
  const only = testIds.length > 0 ? { testIds } : undefined;
  const specification = alone.getProjectByName(file.project.name).createSpecification(file.moduleId, only);
  const { testModules, unhandledErrors } = await alone.runTestSpecifications([specification]);
  const failedAgain = new Set(testModules.flatMap(failedStories).map(({ name }) => name));
  const ran = failedStories(file).map(({ name }) => name);
  const passed = ran.filter((name) => unhandledErrors.length === 0 && !failedAgain.has(name));
  for (const name of ran) console.log(`${passed.includes(name) ? "passed" : "failed"}  ${name}`);
  return passed;
}

/** The failed tests of a file, or the file itself if its tests could not begin. */
function failedStories(module: TestModule): FailedStory[] {
  if (module.state() !== "failed") return [];
  const tests = failedTests(module).map((test) => toStory(nameOf(test), test.result().errors));
  return tests.length > 0 ? tests : [toStory(module.relativeModuleId, module.errors())];
}

function failedTests(module: TestModule): TestCase[] {
  return [...module.children.allTests()].filter((test) => test.result().state === "failed");
}

function toStory(name: string, errors: Iterable<{ stack?: string; message: string }> = []): FailedStory {
  const trace = [...errors].map(({ stack, message }) => ownFrames(stack ?? message)).join("\n");
  return { name, trace };
}

/** The stack without the runner's frames. */
function ownFrames(stack: string): string {
  return stack.replaceAll(/^ +at .*node_modules\/vitest\/.*\n?|^ +at new Promise .*\n?/gm, "").trimEnd();
}

function nameOf(test: TestCase): string {
  return `${test.module.relativeModuleId} > ${test.fullName}`;
}
