import { defineConfig } from "vitest/config";
import { identityInWorkerd, identitySuite } from "./identity/identity-suites.ts";
import { EXTENDED_SUITES, SuiteOrder } from "./suite-order.ts";
import { drawingFiles, EXTENDED, propertiesSuite, root, shared, unitSuites } from "./unit.config.ts";
import { workerSuite } from "./worker/worker-suite.ts";

/**
 * A suite whose files start other programs. Not isolated, so each worker loads the tools for that once: loading them takes
 * longer than starting the programs.
 */
const programs = (name: string, include: string[], globalSetup: string[] = []) => ({
  test: { ...shared, name, include, exclude: [EXTENDED], isolate: false, globalSetup },
});
const SANDBOX = ["./test/support/runtime/bundle-sandbox.ts"];

/** Simulated weeks. Each one needs a core for up to half a minute, and five times as long beside the processes of a story. */
const worldSuite = {
  test: { ...programs("world", ["test/world/**/*.test.ts"]).test, testTimeout: 2.5 * shared.testTimeout },
};

const STORIES_SETUP = [...SANDBOX, "./test/support/runtime/migrated-storage.ts"];

/** Stories in a browser, of the built product. */
export const browserSuite = programs("browser", ["test/e2e/**/*.test.ts"], STORIES_SETUP);

const [EXTENDED_SUITE, EXTENDED_WORKER, EXTENDED_IDENTITY, PROPERTIES] = EXTENDED_SUITES;

/** The longer stories, in workerd. */
const WORKER_STORIES = "test/worker/**/*.extended.test.ts";

/**
 * `npm run test:extended`: stories in a browser, tests that live through weeks, the operators' console, third parties'
 * programs, attacks on every route, and drills of ten thousand objects in virtual time.
 */
const extendedSuite = {
  test: {
    ...programs(EXTENDED_SUITE, [EXTENDED], STORIES_SETUP).test,
    exclude: [WORKER_STORIES, ...drawingFiles],
    testTimeout: worldSuite.test.testTimeout,
  },
};

/** Tests that compare the sandbox with its originals, and those that use it without the product's runtime. */
export const sandboxSuite = programs(
  "sandbox",
  ["test/platform/**/*.test.ts", "test/stripe-sandbox/**/*.test.ts"],
  SANDBOX,
);

/** All suites: unit tests, tests in the Workers runtime, and browser tests. */
export default defineConfig({
  root,
  test: {
    root,
    // One line per request would bury the output of a failing test.
    onConsoleLog: (text: string) => !/"event":"(?:request\.handled|operator\.act|security\.)/.test(text),
    sequence: { sequencer: SuiteOrder },
    reporters: ["default", "./test/reporter.ts"],
    projects: [
      browserSuite,
      extendedSuite,
      workerSuite(EXTENDED_WORKER, { include: [WORKER_STORIES] }),
      identityInWorkerd(EXTENDED_IDENTITY),
      propertiesSuite(PROPERTIES),
      workerSuite("worker", { include: ["test/worker/**/*.test.ts"], exclude: [WORKER_STORIES] }),
      identitySuite,
      worldSuite,
      sandboxSuite,
      ...unitSuites,
    ],
  },
});
