import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { fileURLToPath } from "node:url";
import { DEMO_SETTINGS } from "./support/settings.ts";
import { SANDBOX_BUNDLE } from "./support/bundle-sandbox.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Suites that need no Workers runtime, each with its folders. */
const node = (name: string, include: string[]) => ({
  test: { name, include, root, environment: "node" as const, testTimeout: 60_000, hookTimeout: 120_000 },
});

export default defineConfig(async () => ({
  root,
  test: {
    root,
    fsModuleCache: false,
    // One line per request would bury what a failing test says.
    onConsoleLog: (text: string) => !text.includes(`"event":"request.handled"`),
    reporters: ["default", "./test/reporter.ts"],
    globalSetup: ["./test/support/bundle-sandbox.ts"],
    projects: [
      node("engine", ["test/engine/**/*.test.ts", "test/payments/**/*.test.ts"]),
      node("platform", [
        "test/platform-client/**/*.test.ts",
        "test/platform/**/*.test.ts",
        "test/stripe-sandbox/**/*.test.ts",
      ]),
      node("web", ["test/web/**/*.test.ts"]),
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: `${root}/wrangler.toml` },
            miniflare: {
              bindings: {
                ...DEMO_SETTINGS,
                TEST_MIGRATIONS: await readD1Migrations(`${root}/db/migrations`),
              },
              serviceBindings: { SANDBOX: "jornada-sandbox", ASSETS: "assets" },
              workers: [
                {
                  name: "assets",
                  modules: true,
                  compatibilityDate: "2026-10-01",
                  script: `export default { fetch: () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } }) }`,
                },
                {
                  name: "jornada-sandbox",
                  modules: true,
                  scriptPath: SANDBOX_BUNDLE,
                  compatibilityDate: "2026-10-01",
                  durableObjects: { WORLD: { className: "World", useSQLite: true } },
                },
              ],
            },
          }),
        ],
        test: {
          name: "worker",
          root,
          include: ["test/worker/**/*.test.ts"],
          setupFiles: ["./test/worker/setup.ts"],
          testTimeout: 30_000,
          // Bundled once: a hundred files, read one by one, would be as many requests.
          deps: { optimizer: { ssr: { enabled: true, include: ["stripe"] } } },
        },
      },
      "./test/identity/vitest.config.ts",
      node("browser", ["test/e2e/**/*.test.ts"]),
    ],
  },
}));
