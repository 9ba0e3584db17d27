import type { Reporter, TestModule } from "vitest/node";

const SHOWN = 10;

/** What took longest, after a run of many files; and as the last line, the same whatever ran, how many tests passed, failed and were skipped. */
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

/** From the start of a file's runtime to the end of its last test. */
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
