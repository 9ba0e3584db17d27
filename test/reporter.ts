import type { Reporter, TestModule } from "vitest/node";

/** Prints a last line in the same format for every run: how many tests passed, failed and were skipped. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    console.log(`${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`);
  }
}
