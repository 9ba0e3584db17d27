import type { Reporter, TestModule } from "vitest/node";

const SHOWN = 10;

/**
 * Prints the slowest files after a run of many, and a last line in a fixed format: how many tests passed, failed and
 * were skipped.
 */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const ran = tests.filter((test) => test.result().state !== "skipped");
    if (modules.length > SHOWN && ran.length > SHOWN) {
      console.log(slowest("files", modules, fileMs, (module) => module.relativeModuleId));
      const nameOf = (test: (typeof tests)[number]) => `${test.module.relativeModuleId} > ${test.fullName}`;
      console.log(slowest("tests", ran, (test) => test.diagnostic()?.duration ?? 0, nameOf));
    }
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    console.log(`${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`);
  }
}

/** Duration from starting a file's runtime to the end of its last test. */
function fileMs(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic();
  return environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration;
}

function slowest<Item>(
  what: string,
  items: readonly Item[],
  msOf: (item: Item) => number,
  nameOf: (item: Item) => string,
): string {
  const lines = items
    .map((item) => ({ item, ms: msOf(item) }))
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, SHOWN)
    .map(({ item, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${nameOf(item)}`);
  return [`The slowest ${what}`, ...lines, ""].join("\n");
}
