import { fileURLToPath } from "node:url";
import type { openDb } from "../../../db/client.ts";
import { objectName } from "../../../durable/driver/object-name.ts";
import type { DriverRpc } from "../../../durable/runtime/driver-rpc.ts";
import type { DriverId } from "../../../db/shapes/units.ts";
import { startRuntime, type BuiltWorker } from "./local-runtime.ts";
import { migratedStorage } from "./migrated-storage.ts";
import { DEMO_SETTINGS } from "../settings.ts";

/** The output folder of `npm run build:sandbox`, or another build: `npm run mutate` tries pages with a fault in them. */
export const BUILD_DIR =
  process.env["BUILD_DIR"] ?? fileURLToPath(new URL("../../../.cache/dist", import.meta.url));

/** A driver's object, as far as it is called past the Worker. */
export type BuiltObject = Pick<DriverRpc, "configure" | "startLink" | "submitLinkCode" | "linkStatus">;

/** The built product and the sandbox on a free port, with storage that is lost when they stop. */
export type BuiltApp = {
  /** Origin, without a trailing slash. */
  origin: string;
  /** Runs one SQL statement on D1. */
  sql: (statement: string, ...bindings: unknown[]) => Promise<Record<string, unknown>[]>;
  /** D1, as the Worker has it. */
  database: Parameters<typeof openDb>[0];
  /** A driver's object, in the region of the demonstration. */
  objectOfDriver: (driverId: DriverId) => BuiltObject;
  /** Runs a cron to its end. */
  runCron: (cron: string) => Promise<void>;
  stop: () => Promise<void>;
};

const PRODUCT = {
  config: `${BUILD_DIR}/jornada/wrangler.json`,
  // Payment calls from one address, which all drivers of a test share.
  without: ["PAYMENT_LIMIT"],
};
const SANDBOX = { config: `${BUILD_DIR}/jornada_sandbox/wrangler.json` };

/** Starts the build with the sandbox bound. `settings` override the demo settings. */
export function startBuiltApp({
  settings = {},
}: { settings?: Record<string, string> } = {}): Promise<BuiltApp> {
  return start([{ ...PRODUCT, vars: { ...DEMO_SETTINGS, ...settings } }, SANDBOX]);
}

/** The same build without the sandbox binding, with its own user pool: it connects to a sandbox by address, as to any other server. */
export function startLoopbackApp(
  sandboxUrl: string,
  settings: Record<string, string> = {},
  { without = [] }: Pick<BuiltWorker, "without"> = {},
): Promise<BuiltApp> {
  const vars = {
    ...DEMO_SETTINGS,
    IDENTITY: "embedded",
    PLATFORM_URL: sandboxUrl,
    TWILIO_URL: sandboxUrl,
    STRIPE_URL: sandboxUrl,
    ...settings,
  };
  return start([{ ...PRODUCT, without: [...PRODUCT.without, "SANDBOX", ...without], vars }]);
}

async function start(workers: Parameters<typeof startRuntime>[0]): Promise<BuiltApp> {
  const storage = await migratedStorage();
  const { origin, miniflare, stop } = await startRuntime(workers, { storage });
  const worker = await miniflare.getWorker();
  const database = await miniflare.getD1Database("DB");
  const objects = await miniflare.getDurableObjectNamespace("DRIVER");
  return {
    origin,
    database,
    objectOfDriver: (driverId) => {
      const name = objectName("enam", driverId);
      return objects.getByName(name) as unknown as BuiltObject;
    },
    sql: async (statement, ...bindings) => {
      const { results } = await database
        .prepare(statement)
        .bind(...bindings)
        .all();
      return results;
    },
    runCron: async (cron) => {
      const { outcome } = await worker.scheduled({ cron, scheduledTime: new Date() });
      if (outcome !== "ok") throw new Error(`the cron ${cron} ended with ${outcome}`);
    },
    stop,
  };
}
