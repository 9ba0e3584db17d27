import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Files at a time. Vitest would leave one core free, which is half of a machine that has two. */
export const maxWorkers = Math.max(2, availableParallelism());

/** For all suites. What is waited for comes in its own time: a busy machine fails no test. */
export const shared = {
  root,
  maxWorkers,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
};

/** A suite that runs in Node itself. */
const suite = (name: string, include: string[]) => ({ test: { ...shared, name, include } });

/** What needs no build, no other program and no Workers runtime. */
export const unitSuites = [
  suite("engine", ["test/engine/**/*.test.ts", "test/payments/**/*.test.ts"]),
  suite("platform-client", ["test/platform-client/**/*.test.ts"]),
  {
    test: {
      ...shared,
      name: "web",
      include: ["test/web/**/*.test.ts"],
      globalSetup: "./test/support/compile-messages.ts",
    },
  },
];

/** `npm run test:unit`: nothing is loaded but what these suites need. */
export default defineConfig({
  root,
  test: { root, maxWorkers, reporters: ["default", "./test/reporter.ts"], projects: unitSuites },
});
