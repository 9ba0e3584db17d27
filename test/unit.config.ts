import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { ownEnvironment } from "./support/runtime/own-environment.ts";
import { setRunSeed } from "./support/runtime/set-run-seed.ts";

export const root = fileURLToPath(new URL("..", import.meta.url));
// Before any suite's tools are loaded, which read it then.
ownEnvironment(root);
setRunSeed(root);

/** Parallel files of what only computes. By default Vitest leaves one core free, which is half of a two-core machine. */
export const cores = Math.max(2, availableParallelism());

/** `npm run properties` draws up to a hundred times as many cases. */
const TEST_LIMIT_MS = process.env["PROPERTIES"] === "whole" ? 3_600_000 : 120_000;

/** Time limits of all suites, long enough for a busy machine. */
export const shared = {
  root,
  // Most of a story is waiting for a browser, a server or an instant: two files more than there are cores keep them busy.
  maxWorkers: cores + 2,
  testTimeout: TEST_LIMIT_MS,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
};

/** Tests that are of `npm run test:extended` and not of `npm test`. */
export const EXTENDED = "test/**/*.extended.test.ts";

/**
 * Libraries that tests in the Workers runtime load as one file each, instead of a hundred one by one for each file of tests.
 * All entry points that are imported stand here, since one that is missing would get its own copy of what they share. Hono's
 * can't be bundled so.
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

/** Takes back the globals that a file stubbed, before the next one loads, and has properties draw by the run's seed. */
const setupFiles = ["./test/support/runtime/globals-taken-back.ts", "./test/support/runtime/seeded-draws.ts"];

/**
 * Unit tests compute, and each worker loads the modules of all suites: more of them than cores take a third longer. Suites
 * that differ in this can't run beside each other, so these come last.
 */
const perCore = { maxWorkers: cores, sequence: { groupOrder: 1 } };

/**
 * A suite that runs in Node. Not isolated, so that each module is loaded once per worker: a file that loads modules anew or
 * changes what they keep takes that back.
 */
const suite = (name: string, include: string[]) => ({
  test: { ...shared, ...perCore, name, include, exclude: [EXTENDED], isolate: false, setupFiles },
});

/** A suite of the page, whose words and routes are made first. */
const pageSuite = (name: string, own: { include: string[]; exclude?: string[] }) => ({
  ...shared,
  ...perCore,
  name,
  isolate: false,
  setupFiles: [...setupFiles, "./test/support/session-taken-back.ts"],
  globalSetup: "./test/support/runtime/generated-sources.ts",
  ...own,
});

/** The files whose properties draw as many cases as a run has time for. */
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

/** Tests of what a driver or an operator does in a part of a screen, which they find in a document. */
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
