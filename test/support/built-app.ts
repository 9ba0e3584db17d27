import { fileURLToPath } from "node:url";
import { createTestHarness } from "wrangler";
import { DEMO_SETTINGS } from "./settings.ts";

/** Where `npm run build:sandbox` leaves what it built. */
export const BUILD_DIR = fileURLToPath(new URL("../../.cache/dist", import.meta.url));

/** The built product with the sandbox beside it, on a port of its own, with storage that dies with it. */
export type BuiltApp = {
  /** Address without a slash at the end. */
  origin: string;
  /** Runs one statement on D1. */
  sql: (statement: string, ...bindings: unknown[]) => Promise<Record<string, unknown>[]>;
  stop: () => Promise<void>;
};

/** Starts what was built, with the sandbox bound unless `configs` say otherwise; `settings` replace those of the demo. */
export async function startBuiltApp({
  settings = {},
  configs = ["jornada/wrangler.json", "jornada_sandbox/wrangler.json"],
}: { settings?: Record<string, string>; configs?: string[] } = {}): Promise<BuiltApp> {
  // The runtime's makers are not asked where this machine stands: a test fetches nothing.
  process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false";
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
    stop: () => server.close(),
  };
}

type D1Like = {
  prepare(statement: string): {
    bind(...values: unknown[]): { all(): Promise<{ results: Record<string, unknown>[] }> };
  };
};
