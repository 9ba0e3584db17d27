import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { SANDBOX_BUNDLE } from "../support/runtime/bundle-sandbox.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";
import { bundledLibraries, root, shared } from "../unit.config.ts";

/**
 * The Worker's configuration in a folder of its own: beside the original stand the settings of whoever runs the product on
 * this machine, which would be read with it.
 */
function ownConfig(): string {
  const folder = `${root}/.cache/worker`;
  const copy = `${folder}/wrangler.toml`;
  mkdirSync(folder, { recursive: true });
  // Two runs may start at once, and neither reads half a file.
  writeFileSync(`${copy}.${process.pid}`, withoutQueues(readFileSync(`${root}/wrangler.toml`, "utf8")));
  renameSync(`${copy}.${process.pid}`, copy);
  return copy;
}

/** Tests hand batches to the consumer themselves: what a queue delivers later would meet the next file's empty database. */
function withoutQueues(config: string): string {
  return config.replaceAll(/^\[\[queues\.\w+\]\]\n(?:(?!\[).*\n)*/gm, "");
}

/** These files of tests of the Worker in workerd, with the sandbox. */
export const workerSuite = async (name: string, files: { include: string[]; exclude?: string[] }) => ({
  root,
  plugins: [
    cloudflareTest({
      main: `${root}/worker/index.ts`,
      wrangler: { configPath: ownConfig() },
      miniflare: {
        bindings: {
          ...DEMO_SETTINGS,
          // Tests run alarms themselves, of which a ticker would leave one in half a minute.
          TICKERS: "0",
          DRIFT: process.env["DRIFT"] ?? "",
          SEED: process.env["SEED"] ?? "",
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
    name,
    isolate: false,
    // workerd has no such files: what Vitest keeps on disk can't be read there.
    fsModuleCache: false,
    ...files,
    globalSetup: ["./test/support/runtime/bundle-sandbox.ts"],
    setupFiles: ["./test/support/kept-logs.ts", "./test/worker/setup.ts"],
    deps: { optimizer: { ssr: { enabled: true, include: bundledLibraries } } },
  },
});
