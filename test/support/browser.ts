import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium, type Browser, type BrowserContext } from "playwright-core";
import { newerFeatures, removeFeatures } from "./oldest-browser.ts";
import project from "../../package.json" with { type: "json" };

const CACHE = join(import.meta.dirname, "../../.cache");

/**
 * Starts Chromium: the pinned one of the npm package, which is the same on every machine, unless `CHROMIUM_PATH` names
 * another.
 */
export async function launchBrowser(
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<Browser> {
  const browser = await chromium.launch({
    env: { ...process.env, ...environment },
    executablePath: process.env["CHROMIUM_PATH"] ?? (await unpackChromium()),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...args,
    ],
  });
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = unroutedAtClose(await open(options));
    if (process.env["BROWSER_AGE"] === "oldest") await context.addInitScript(removeFeatures, newerFeatures());
    return context;
  };
  const close = browser.close.bind(browser);
  browser.close = async (options) => {
    await Promise.all(browser.contexts().map(unroute));
    await close(options);
  };
  return browser;
}

/** The Chromium of this process, which the files of a suite use one after the other. */
let shared: Promise<Browser> | undefined;

/** That Chromium with contexts of one's own, which end with `close`; it runs on until the process ends. */
export async function openBrowser(): Promise<Browser> {
  if (shared === undefined || !(await shared).isConnected()) shared = launchBrowser();
  const browser = await shared;
  const contexts: BrowserContext[] = [];
  const own: Pick<Browser, "newContext" | "close"> = {
    newContext: async (options) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      return context;
    },
    close: async () => {
      const open = browser.contexts().filter((context) => contexts.includes(context));
      await Promise.all(open.map((context) => context.close()));
    },
  };
  return Object.assign<Browser, typeof own>(Object.create(browser), own);
}

/**
 * Removes a context's routes before it closes. A route's callback that still fetches when its page goes would reject outside
 * of any test, and fail the whole run.
 */
function unroutedAtClose(context: BrowserContext): BrowserContext {
  const close = context.close.bind(context);
  context.close = async (options) => {
    await unroute(context);
    await close(options);
  };
  return context;
}

async function unroute(context: BrowserContext): Promise<void> {
  const routed = [context, ...context.pages()];
  await Promise.all(routed.map((owner) => owner.unrouteAll({ behavior: "ignoreErrors" })));
}

/**
 * The path of the npm package's Chromium, unpacked once. The package writes it where it is run from, so
 * whoever starts it meanwhile fails with ETXTBSY, and what was cut off stays: it is unpacked aside, and then moved.
 */
async function unpackChromium(): Promise<string> {
  const folder = join(CACHE, `chromium-${project.devDependencies["@sparticuz/chromium"]}`);
  const path = join(folder, "chromium");
  if (existsSync(path)) return path;
  await mkdir(CACHE, { recursive: true });
  const aside = await mkdtemp(`${folder}-`);
  // The package unpacks into the folder for temporary files, which is the whole process's.
  const unpack = `const { default: chromium } = await import("@sparticuz/chromium"); await chromium.executablePath();`;
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", unpack], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: aside },
  });
  // Where another was first, its folder stands.
  await rename(aside, folder).catch(() => rm(aside, { recursive: true }));
  return path;
}
