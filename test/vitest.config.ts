import { defineConfig } from "vitest/config";
import { maxWorkers, root, shared, unitSuites } from "./unit.config.ts";

/** A suite whose files start programs. Loading what starts them takes longer than starting them, and is done once. */
const programs = (name: string, include: string[]) => ({
  test: { ...shared, name, include, isolate: false },
});

/** Every suite: those without a runtime, the programs of the runtime, and stories in a browser. */
export default defineConfig({
  root,
  test: {
    root,
    maxWorkers,
    // One line per request would bury the output of a failing test.
    onConsoleLog: (text: string) => !text.includes(`"event":"request.handled"`),
    reporters: ["default", "./test/reporter.ts"],
    projects: [
      programs("browser", ["test/e2e/**/*.test.ts"]),
      "./test/identity/vitest.config.ts",
      "./test/worker/vitest.config.ts",
      programs("sandbox", ["test/platform/**/*.test.ts", "test/stripe-sandbox/**/*.test.ts"]),
      ...unitSuites,
    ],
  },
});
