import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Parallel files. By default Vitest leaves one core free, which is half of a two-core machine. */
export const maxWorkers = Math.max(2, availableParallelism());

/** Time limits of all suites, long enough for a busy machine. */
export const shared = {
  root,
  maxWorkers,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
};

/** A suite that runs in Node. Not isolated where nothing that is tested keeps state in a module, so that each module is loaded once per worker. */
const suite = (name: string, include: string[], isolate = true) => ({
  test: { ...shared, name, include, isolate },
});

/** Suites that need no build, no other program and no Workers runtime. */
export const unitSuites = [
  suite(
    "engine",
    [
      "test/engine/**/*.test.ts",
      "test/rewards/**/*.test.ts",
      "test/console/**/*.test.ts",
      "test/payments/**/*.test.ts",
      "test/user-pool/**/*.test.ts",
    ],
    false,
  ),
  suite("server", ["test/http/**/*.test.ts", "test/stored/**/*.test.ts", "test/dev/**/*.test.ts"]),
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

/** `npm run test:unit`: loads only what these suites need. */
export default defineConfig({
  root,
  test: { root, maxWorkers, reporters: ["default", "./test/reporter.ts"], projects: unitSuites },
});
