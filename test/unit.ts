import { globSync } from "node:fs";
import { parseArgs } from "node:util";
import { startVitest } from "vitest/node";
import { root, unitSuites } from "./unit.config.ts";

// `npm run test:unit`: all unit suites, the files or the tests that are named, once or with `--watch`.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { watch: { type: "boolean", default: false } },
});

const files = unitSuites.flatMap(({ test }) => test.include.flatMap((glob) => globSync(glob, { cwd: root })));
const isFile = (name: string) => files.some((file) => file.includes(name));
/** What is no file's name is a test's. */
const testName = positionals.filter((name) => !isFile(name)).join(" ");

const vitest = await startVitest(
  "test",
  positionals.filter(isFile),
  {
    config: "test/unit.config.ts",
    watch: values.watch,
    ...(testName && { testNamePattern: RegExp.escape(testName) }),
  },
  { root },
);
if (!values.watch) {
  const ran = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()]);
  if (!ran.some((test) => test.result().state !== "skipped")) process.exitCode = 1;
  await vitest.close();
}
