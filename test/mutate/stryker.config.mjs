/**
 * Do the tests notice planted faults? `npm run mutate` plants them in the pure rooms; `npm run mutate -- --mutate
 * durable/engine/cadence.ts` in one file. The report names each fault that no test noticed.
 * @type {import("@stryker-mutator/api/core").PartialStrykerOptions}
 */
export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "test/unit.config.ts", related: true },
  mutate: [
    "durable/engine/**/*.ts",
    "worker/payments/prices.ts",
    "worker/payments/settlement.ts",
    "!**/tsconfig.json",
  ],
  // TypeScript 7 has no JavaScript API to rewrite tsconfig files with; the tests need no types.
  tsconfigFile: "none",
  ignorePatterns: [".cache", "dist", ".wrangler", "web/public", "test/bench"],
  coverageAnalysis: "perTest",
  reporters: ["clear-text", "json", "progress-append-only"],
  concurrency: 2,
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: ".cache/mutation.json" },
  tempDirName: ".cache/stryker",
};
