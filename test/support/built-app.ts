import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createTestHarness } from "wrangler";
import { quietMiniflare } from "./quiet-miniflare.ts";
import { DEMO_SETTINGS } from "./settings.ts";

/** The output folder of `npm run build:sandbox`; `npm run skew` puts another release's page into a copy of it. */
export const BUILD_DIR =
  process.env["BUILD_DIR"] ?? fileURLToPath(new URL("../../.cache/dist", import.meta.url));

/** The built product and the sandbox on a free port, with storage that is lost when they stop. */
export type BuiltApp = {
  /** Origin, without a trailing slash. */
  origin: string;
  /** Runs one SQL statement on D1. */
  sql: (statement: string, ...bindings: unknown[]) => Promise<Record<string, unknown>[]>;
  /** Runs a cron to its end. */
  runCron: (cron: string) => Promise<void>;
  stop: () => Promise<void>;
};

/** The build's settings without the limit of payment calls from one address, which all drivers of a test share. */
function configWithoutAddressLimit(change: Record<string, unknown> = {}): string {
  const config: { ratelimits?: { name: string }[] } = JSON.parse(
    readFileSync(`${BUILD_DIR}/jornada/wrangler.json`, "utf8"),
  );
  const ratelimits = config.ratelimits?.filter(({ name }) => name !== "PAYMENT_LIMIT");
  // Test files start the build at the same time.
  const file = `jornada/wrangler.${process.pid}-${crypto.randomUUID()}.json`;
  writeFileSync(`${BUILD_DIR}/${file}`, JSON.stringify({ ...config, ratelimits, ...change }));
  return file;
}

/** Starts the build, with the sandbox bound unless `configs` says otherwise. `settings` override the demo settings. */
export async function startBuiltApp({
  settings = {},
  configs = [configWithoutAddressLimit(), "jornada_sandbox/wrangler.json"],
}: { settings?: Record<string, string>; configs?: string[] } = {}): Promise<BuiltApp> {
  quietMiniflare();
  const server = createTestHarness({
    workers: configs.map((config, index) => ({
      configPath: `${BUILD_DIR}/${config}`,
      ...(index === 0 ? { vars: { ...DEMO_SETTINGS, ...settings } } : {}),
    })),
  });
  const { url } = await server.listen();
  const worker = server.getWorker();
  await worker.applyD1Migrations("DB");
  const DB: D1Like = (await worker.getEnv())["DB"];
  return {
    origin: url.origin,
    sql: async (statement, ...bindings) => {
      const { results } = await DB.prepare(statement)
        .bind(...bindings)
        .all();
      return results;
    },
    runCron: async (cron) => {
      const { outcome } = await worker.scheduled({ cron, scheduledTime: new Date() });
      if (outcome !== "ok") throw new Error(`the cron ${cron} ended with ${outcome}`);
    },
    stop: () => server.close(),
  };
}

/** The same build without the sandbox binding, with its own user pool: it connects to a sandbox by address, as to any other server. */
export async function startLoopbackApp(
  sandboxUrl: string,
  settings: Record<string, string> = {},
): Promise<BuiltApp> {
  return startBuiltApp({
    configs: [configWithoutAddressLimit({ services: [] })],
    settings: {
      IDENTITY: "embedded",
      PLATFORM_URL: sandboxUrl,
      TWILIO_URL: sandboxUrl,
      STRIPE_URL: sandboxUrl,
      ...settings,
    },
  });
}

type D1Like = {
  prepare(statement: string): {
    bind(...values: unknown[]): { all(): Promise<{ results: Record<string, unknown>[] }> };
  };
};
