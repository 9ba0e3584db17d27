import { fileURLToPath } from "node:url";
import type { openDb } from "../../../db/client.ts";
import { objectName } from "../../../durable/driver/object-name.ts";
import type { DriverRpc } from "../../../durable/runtime/driver-rpc.ts";
import type { DriverId } from "../../../db/shapes/units.ts";
import { doorD1 } from "./door-d1.ts";
import { startRuntime, type BuiltWorker } from "./local-runtime.ts";
import { migratedStorage } from "./migrated-storage.ts";
import { DEMO_SETTINGS } from "../settings.ts";

/** The output folder of `npm run build:sandbox`, or another build: `npm run mutate` tries pages with a fault in them. */
export const BUILD_DIR =
  process.env["BUILD_DIR"] ?? fileURLToPath(new URL("../../../.cache/dist", import.meta.url));

/** The calls of a driver's object that are made past the Worker. */
type BuiltObject = Pick<DriverRpc, "configure" | "startLink" | "submitLinkCode" | "linkStatus">;

/** The built product and the sandbox on a free port, with storage that is lost when they stop. */
export type BuiltApp = {
  /** Origin, without a trailing slash. */
  origin: string;
  /** Runs one SQL statement on D1. */
  sql: (statement: string, ...bindings: unknown[]) => Promise<Record<string, unknown>[]>;
  /** D1, as the Worker has it. */
  database: Parameters<typeof openDb>[0];
  /** A driver's object, in the region of the demonstration; for an app with a door to its objects. */
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

/**
 * The same build without the sandbox binding, with its own user pool: it connects to a sandbox by address, as to any
 * other server.
 * @param options.hasDoor whether drivers' objects can be called past the Worker
 */
export function startLoopbackApp(
  sandboxUrl: string,
  settings: Record<string, string> = {},
  { without = [], hasDoor = false }: Pick<BuiltWorker, "without"> & { hasDoor?: boolean } = {},
): Promise<BuiltApp> {
  const vars = {
    ...DEMO_SETTINGS,
    IDENTITY: "embedded",
    PLATFORM_URL: sandboxUrl,
    TWILIO_URL: sandboxUrl,
    STRIPE_URL: sandboxUrl,
    ...settings,
  };
  return start([{ ...PRODUCT, without: [...PRODUCT.without, "SANDBOX", ...without], vars }], hasDoor);
}

async function start(workers: Parameters<typeof startRuntime>[0], hasDoor = false): Promise<BuiltApp> {
  const storage = await migratedStorage();
  const runtime = await startRuntime(workers, {
    storage,
    ...(hasDoor && { door: { objectsOf: "jornada" } }),
  });
  const { origin, miniflare, doorUrl, stop } = runtime;
  const worker = await miniflare.getWorker();
  const askDoor = async <Answer>(asked: unknown) => {
    if (doorUrl === null) throw new Error("the runtime has no door to its objects");
    const response = await fetch(doorUrl, { method: "POST", body: JSON.stringify(asked) });
    if (!response.ok) throw new Error(`the door failed: ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const database =
    doorUrl === null ? await miniflare.getD1Database("DB") : doorD1((statements) => askDoor({ statements }));
  return {
    origin,
    database,
    objectOfDriver: (driverId) => {
      const name = objectName("enam", driverId);
      const call = <Answer>(method: keyof BuiltObject, args: readonly unknown[]) =>
        askDoor<Answer>({ name, method, args });
      return {
        configure: (...args) => call("configure", args),
        startLink: (...args) => call("startLink", args),
        submitLinkCode: (...args) => call("submitLinkCode", args),
        linkStatus: (...args) => call("linkStatus", args),
      };
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
