import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { ownEnvironment } from "./support/runtime/own-environment.ts";
import { setRunSeed } from "./support/runtime/set-run-seed.ts";

export const root = fileURLToPath(new URL("..", import.meta.url));
// Set before any suite's tools load, since they read it then.
ownEnvironment(root);
setRunSeed(root);

/**
 * How many files run in parallel in suites that only compute. By default Vitest leaves one core free, which is half of a
 * two-core machine.
 */
export const cores = Math.max(2, availableParallelism());

/** `npm run properties` draws up to a hundred times as many cases. */
const TEST_LIMIT_MS = process.env["PROPERTIES"] === "whole" ? 3_600_000 : 120_000;

/** Time limits of all suites, long enough for a busy machine. */
export const shared = {
  root,
  // A story mostly waits for a browser, a server or an instant: two more files than cores keep the cores busy.
  maxWorkers: cores + 2,
  testTimeout: TEST_LIMIT_MS,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
};

/** Tests that run with `npm run test:extended`, not with `npm test`. */
export const EXTENDED = "test/**/*.extended.test.ts";

/**
 * Libraries that tests in the Workers runtime load as one file each, instead of a hundred files one by one for each test file.
 * The list has every entry point that is imported, since a missing one would get its own copy of what they share. Hono can't be
 * bundled this way.
 */
export const bundledLibraries = [
  "@noble/curves/bls12-381.js",
  "@block65/webcrypto-web-push",
  "drizzle-orm",
  "drizzle-orm/batch",
  "drizzle-orm/d1",
  "drizzle-orm/sqlite-core",
  "jose",
  "libphonenumber-js/min",
  "stripe",
  "temporal-polyfill",
  "zod",
  "zod/mini",
  "zod/v4/core",
];

/** Restores the globals that a file stubbed before the next one loads, and makes properties draw by the run's seed. */
const setupFiles = ["./test/support/runtime/globals-taken-back.ts", "./test/support/runtime/seeded-draws.ts"];

/**
 * Unit tests compute, and each worker loads the modules of all suites, so more workers than cores take a third longer. Suites
 * with different worker counts can't run at the same time, so these come last.
 */
const perCore = { maxWorkers: cores, sequence: { groupOrder: 1 } };

/**
 * A suite that runs in Node. Not isolated, so each module is loaded once per worker: a file that reloads modules or changes
 * their state restores it.
 */
const suite = (name: string, include: string[]) => ({
  test: { ...shared, ...perCore, name, include, exclude: [EXTENDED], isolate: false, setupFiles },
});

/** A suite of the page, whose messages and routes are generated first. */
const pageSuite = (name: string, own: { include: string[]; exclude?: string[] }) => ({
  ...shared,
  ...perCore,
  name,
  isolate: false,
  setupFiles: [...setupFiles, "./test/support/session-taken-back.ts"],
  globalSetup: "./test/support/runtime/generated-sources.ts",
  ...own,
});

/** Files with properties, which draw as many cases as a run has time for. */
export const drawingFiles = globSync("test/**/*.test.ts", { cwd: root }).filter((file) =>
  readFileSync(`${root}/${file}`, "utf8").includes('/support/draws.ts"'),
);

/** The same files with their usual number of cases, unless the environment names another (test/support/draws.ts). */
export const propertiesSuite = (name: string) => ({
  test: {
    ...pageSuite(name, { include: drawingFiles }),
    env: { PROPERTIES: process.env["PROPERTIES"] ?? "usual" },
  },
});

/** Tests that use a part of a screen, rendered in a document, as a driver or an operator does. */
const DOM = "test/web/**/*.dom.test.ts";

/** Suites that need no build, no other program and no Workers runtime. */
export const unitSuites = [
  suite("engine", [
    "test/engine/**/*.test.ts",
    "test/rewards/**/*.test.ts",
    "test/queries/**/*.test.ts",
    "test/console/**/*.test.ts",
    "test/payments/**/*.test.ts",
    "test/user-pool/**/*.test.ts",
  ]),
  suite("server", [
    "test/docs/**/*.test.ts",
    "test/http/**/*.test.ts",
    "test/stored/**/*.test.ts",
    "test/skew/**/*.test.ts",
    "test/dev/**/*.test.ts",
  ]),
  suite("platform-client", ["test/platform-client/**/*.test.ts"]),
  { test: pageSuite("web", { include: ["test/web/**/*.test.ts"], exclude: [EXTENDED, DOM] }) },
  {
    test: {
      ...pageSuite("screens", { include: [DOM] }),
      environment: "happy-dom",
      setupFiles: [...setupFiles, "./test/support/session-taken-back.ts", "./test/support/document-setup.ts"],
    },
  },
];

/** `npm run test:unit`: loads only what these suites need. */
export default defineConfig({
  root,
  test: { root, maxWorkers: cores, reporters: ["default", "./test/reporter.ts"], projects: unitSuites },
});
