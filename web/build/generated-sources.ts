import { globSync, statSync, utimesSync } from "node:fs";
import { resolve } from "node:path";
import { declarationsOf, declareMessages } from "./message-declarations.ts";

const WEB = resolve(import.meta.dirname, "..");
const ROOT = resolve(WEB, "..");
/** Changes whenever the installed versions do, and so what the generators write. */
const INSTALLED = `${ROOT}/node_modules/.package-lock.json`;

const MESSAGE_STRATEGY = {
  strategy: ["cookie", "preferredLanguage", "baseLocale"] satisfies (
    | "cookie"
    | "preferredLanguage"
    | "baseLocale"
  )[],
};

/** The drivers' words. */
export const DRIVER_MESSAGES = {
  project: `${ROOT}/locales/project.inlang`,
  outdir: `${WEB}/messages`,
  ...MESSAGE_STRATEGY,
};

/** The console's words, which the drivers' page must not carry. */
export const CONSOLE_MESSAGES = {
  project: `${ROOT}/locales/console/project.inlang`,
  outdir: `${WEB}/console/messages`,
  ...MESSAGE_STRATEGY,
};

/** Where the router's plugin finds the routes and writes their tree, relative to the page's folder. */
export const ROUTE_FILES = { routesDirectory: "./routes", generatedRouteTree: "./routeTree.gen.ts" };

/** Makes the modules that the sources import and no commit holds, where their own sources are newer. */
export async function generateSources(): Promise<void> {
  for (const messages of [DRIVER_MESSAGES, CONSOLE_MESSAGES]) await generateMessages(messages);
  await generateRouteTree();
}

async function generateMessages(messages: typeof DRIVER_MESSAGES): Promise<void> {
  const written = declarationsOf(messages.outdir);
  const sources = [`${resolve(messages.project, "..")}/*.json`, `${messages.project}/settings.json`];
  if (isCurrent(written, sources)) return;
  const { compile } = await import("@inlang/paraglide-js");
  await compile(messages);
  declareMessages(messages.outdir);
}

async function generateRouteTree(): Promise<void> {
  const written = resolve(WEB, ROUTE_FILES.generatedRouteTree);
  // The folders too, which change when a route is removed.
  if (isCurrent(written, [`${WEB}/routes`, `${WEB}/routes/**`])) return;
  const [{ resolveConfig }, { tanstackRouter }] = await Promise.all([
    import("vite"),
    import("@tanstack/router-plugin/vite"),
  ]);
  // The plugin writes the tree as soon as it knows its root.
  const plugins = [tanstackRouter({ target: "react", ...ROUTE_FILES })];
  await resolveConfig({ configFile: false, root: WEB, logLevel: "warn", plugins }, "build");
  markCurrent(written);
}

/** Whether a generated file is newer than all that it is made from. */
function isCurrent(written: string, sources: string[]): boolean {
  const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return changedAt(written) > Math.max(...[INSTALLED, ...globSync(sources)].map(changedAt));
}

/** The generators leave a file alone whose text stays the same. */
function markCurrent(written: string): void {
  const now = new Date();
  utimesSync(written, now, now);
}

if (import.meta.main) await generateSources();
