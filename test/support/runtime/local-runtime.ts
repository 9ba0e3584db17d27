import { cpSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  convertV4MiniflareOptions,
  Log,
  LogLevel,
  Miniflare,
  type V4WorkerOptions,
  type V4WorkerOptionsShape,
} from "miniflare";
import {
  unstable_getMiniflareWorkerOptions as readOptions,
  unstable_readConfig as readConfig,
} from "wrangler";
import { Agent, setGlobalDispatcher } from "undici";
import { quietMiniflare } from "./quiet-miniflare.ts";

/** A Worker as it is deployed: its settings, and the folder of its built modules, of which `index.js` is the first. */
export type BuiltWorker = {
  config: string;
  folder?: string;
  vars?: Record<string, string>;
  /** Limits of calls and bindings to other Workers that are left out. */
  without?: readonly string[];
};

/**
 * Built Workers in one runtime on a free port; the first of them answers. Without wrangler's own server, which takes several
 * times as long to start and stands between with a runtime of its own. Storage begins as a copy of `storage`, or empty, and is
 * lost at the end. With `door` a Worker beside them calls the objects and the database of one of them.
 */
export type LocalRuntime = {
  /** Origin, without a trailing slash. */
  origin: string;
  miniflare: Miniflare;
  /** Where that Worker answers; null without one. */
  doorUrl: URL | null;
  stop: () => Promise<void>;
};

const DOOR = "object-door";

export async function startRuntime(
  workers: readonly BuiltWorker[],
  { storage, door }: { storage?: string; door?: { objectsOf: string } } = {},
): Promise<LocalRuntime> {
  const state = mkdtempSync(join(tmpdir(), "jornada-state-"));
  if (storage !== undefined) cpSync(storage, state, { recursive: true });
  quietMiniflare();
  keepConnectionsShort();
  const built = workers.map(toOptions);
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      logRequests: false,
      log: new Log(LogLevel.ERROR),
      // One line per request would bury the output of a failing test.
      handleStructuredLogs: () => undefined,
      unsafeTriggerHandlers: true,
      unsafeInspectDurableObjects: true,
      resourcePersistencePath: state,
      workers: [...built, ...(door ? [doorOptions(door, built)] : [])],
    }),
  );
  const url = await miniflare.ready;
  return {
    origin: url.origin,
    miniflare,
    doorUrl: door ? await miniflare.unsafeGetDirectURL(DOOR) : null,
    stop: async () => {
      await miniflare.dispose();
      rmSync(state, { recursive: true, force: true });
    },
  };
}

/**
 * The runtime closes a connection that was idle for five seconds, and this process's `fetch` would use one for four: on a busy
 * machine a call would meet the end of its connection.
 */
function keepConnectionsShort(): void {
  setGlobalDispatcher(new Agent({ keepAliveTimeout: 1_000 }));
}

function doorOptions(
  { objectsOf }: { objectsOf: string },
  built: readonly V4WorkerOptions[],
): V4WorkerOptions {
  const d1Databases = built.find(({ name }) => name === objectsOf)?.d1Databases;
  const path = fileURLToPath(new URL("object-door.js", import.meta.url));
  return {
    name: DOOR,
    compatibilityDate: "2026-10-01",
    modulesRoot: dirname(path),
    modules: [{ type: "ESModule", path }],
    durableObjects: { DRIVER: { className: "Driver", scriptName: objectsOf, useSQLite: true } },
    ...(d1Databases && { d1Databases }),
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  };
}

function toOptions({
  config,
  folder = dirname(config),
  vars = {},
  without = [],
}: BuiltWorker): V4WorkerOptions {
  const { name } = readConfig({ config });
  if (name === undefined) throw new Error(`${config} names no Worker`);
  // The modules are listed, so no rules find them.
  const options: V4WorkerOptionsShape = { ...readOptions(config).workerOptions, modulesRules: undefined };
  const kept = <Binding>(bindings: Record<string, Binding> = {}) =>
    Object.fromEntries(Object.entries(bindings).filter(([binding]) => !without.includes(binding)));
  const files = ["index.js", ...globSync("assets/**/*.js", { cwd: folder })];
  return {
    ...options,
    name,
    bindings: { ...options.bindings, ...vars },
    ratelimits: kept(options.ratelimits),
    serviceBindings: kept(options.serviceBindings),
    modulesRoot: folder,
    modules: files.map((file) => ({ type: "ESModule", path: join(folder, file) })),
  };
}
