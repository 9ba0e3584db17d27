import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { SANDBOX_BUNDLE } from "../support/bundle-sandbox.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";
import { bundledLibraries, root, shared } from "../unit.config.ts";

/** The Worker in workerd, with the sandbox. */
export default defineConfig(async () => ({
  root,
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
    ...shared,
    name: "worker",
    isolate: false,
    fsModuleCache: false,
    include: ["test/worker/**/*.test.ts"],
    globalSetup: ["./test/support/bundle-sandbox.ts"],
    setupFiles: ["./test/support/kept-logs.ts", "./test/worker/setup.ts"],
    deps: { optimizer: { ssr: { enabled: true, include: bundledLibraries } } },
  },
}));
