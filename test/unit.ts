import { globSync } from "node:fs";
import { parseArgs } from "node:util";
import { startVitest } from "vitest/node";
import { root, unitSuites } from "./unit.config.ts";

// `npm run test:unit`: runs all unit suites, or the given files or tests, once or with `--watch`.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { watch: { type: "boolean", default: false } },
});

const files = unitSuites.flatMap(({ test }) => test.include.flatMap((glob) => globSync(glob, { cwd: root })));
const isFile = (name: string) => files.some((file) => file.includes(name));
/** An argument that matches no file is the name of a test. */
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
