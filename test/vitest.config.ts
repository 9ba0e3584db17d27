import { defineConfig } from "vitest/config";
import { maxWorkers, root, suite, unitSuites } from "./unit.config.ts";

/** Every suite: those without a runtime, the programs of the runtime, and stories in a browser. */
export default defineConfig({
  root,
  test: {
    root,
    maxWorkers,
    reporters: ["default", "./test/reporter.ts"],
    projects: [
      suite("browser", ["test/e2e/**/*.test.ts"]),
      "./test/identity/vitest.config.ts",
      "./test/worker/vitest.config.ts",
      suite("sandbox", ["test/platform/**/*.test.ts", "test/stripe-sandbox/**/*.test.ts"]),
      ...unitSuites,
    ],
  },
});
