import { readFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import lighthouse from "lighthouse";
import type { Browser } from "playwright-core";
import { createActiveDriver, type E2eHarness } from "../e2e/harness.ts";
import { BUILD_DIR, startBuiltApp } from "../support/runtime/built-app.ts";
import { launchBrowser } from "../support/browser.ts";
import { startEdge } from "./edge.ts";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
type Category = (typeof CATEGORIES)[number];

/** The targets of each page: the least score of every category, and the time of its largest paint. */
export const PAGES = {
  "/": { score: 100, largestPaintMs: 1000 },
  "/terms": { score: 100, largestPaintMs: 1000 },
  "/faqs": { score: 100, largestPaintMs: 1000 },
  "/contact": { score: 100, largestPaintMs: 1000 },
  "/login": { score: 95, largestPaintMs: 1800 },
  "/register": { score: 95, largestPaintMs: 1800 },
} as const;
type Path = keyof typeof PAGES;

/** Lighthouse's slow 4G, and a phone that is four times slower than this machine. */
const SLOW_4G = { latency: 150, downloadThroughput: (1638.4 * 1024) / 8, uploadThroughput: (750 * 1024) / 8 };
const CPU_SLOWDOWN = 4;
const DASHBOARD_RUNS = 3;
/** As Lighthouse's authors advise for what varies between loads (lighthouse/docs/variability.md). */
const PAGE_RUNS = 5;

type PageScores = Record<Category, number> & { largestPaintMs: number; bytes: number; failed: string[] };
/** The load whose largest paint is the median, and the largest paints of all, from the earliest to the latest. */
type PageFigures = PageScores & { largestPaintsMs: number[] };
/** Until the card stands: requests, and JavaScript by gzip; `wholeScriptBytes` until nothing of the screen is on its way. */
export type DashboardFigures = {
  cardMs: number;
  requests: number;
  scriptBytes: number;
  wholeScriptBytes: number;
};
export type PagesFigures = { lighthouse: Record<string, PageFigures>; dashboard: DashboardFigures };

/** Measures the built product as a phone sees it: the public pages by Lighthouse, and a driver's dashboard. */
export async function benchPages(): Promise<PagesFigures> {
  // The addresses that pages name are those that they are loaded from: Lighthouse judges no other canonical address.
  const { app, ...edge } = await startEdge((publicUrl) =>
    startBuiltApp({ settings: { PUBLIC_URL: publicUrl } }),
  );
  const port = await freePort();
  const browser = await launchBrowser([
    `--remote-debugging-port=${port}`,
    // The edge has a certificate of its own.
    "--ignore-certificate-errors",
  ]);
  try {
    const scores: Record<string, PageFigures> = {};
    for (const path of Object.keys(PAGES)) scores[path] = await measurePage(`${edge.origin}${path}`, port);
    const dashboard = await measureDashboard({ app, browser, close: () => app.stop() }, edge.origin);
    return { lighthouse: scores, dashboard };
  } finally {
    await browser.close();
    edge.stop();
    await app.stop();
  }
}

export function targetOf(path: string): { score: number; largestPaintMs: number } {
  return PAGES[path as Path];
}

async function measurePage(url: string, port: number): Promise<PageFigures> {
  const loads: PageScores[] = [];
  for (let run = 0; run < PAGE_RUNS; run += 1) loads.push(await scorePage(url, port));
  const sorted = loads.toSorted((one, other) => one.largestPaintMs - other.largestPaintMs);
  const median = sorted[PAGE_RUNS >> 1];
  if (!median) throw new Error(`${url} was not loaded`);
  return { ...median, largestPaintsMs: sorted.map(({ largestPaintMs }) => largestPaintMs) };
}

async function scorePage(url: string, port: number): Promise<PageScores> {
  const result = await lighthouse(url, { port, onlyCategories: [...CATEGORIES], logLevel: "error" });
  if (!result) throw new Error(`Lighthouse said nothing of ${url}`);
  const { audits, categories } = result.lhr;
  const scoreOf = (category: Category) => Math.round((categories[category]?.score ?? 0) * 100);
  const failed = CATEGORIES.filter((category) => category !== "performance").flatMap((category) =>
    (categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id),
  );
  return {
    performance: scoreOf("performance"),
    accessibility: scoreOf("accessibility"),
    "best-practices": scoreOf("best-practices"),
    seo: scoreOf("seo"),
    largestPaintMs: Math.round(audits["largest-contentful-paint"]?.numericValue ?? Number.NaN),
    bytes: Math.round(audits["total-byte-weight"]?.numericValue ?? Number.NaN),
    failed,
  };
}

/** The median of a few first loads, with nothing in the browser's cache. */
async function measureDashboard(harness: E2eHarness, origin: string): Promise<DashboardFigures> {
  const driver = await createActiveDriver(harness);
  const loads: DashboardFigures[] = [];
  for (let run = 0; run < DASHBOARD_RUNS; run += 1) {
    const query = new URLSearchParams({ sub: driver.driverId, phone: driver.phoneNumber });
    loads.push(await loadDashboard(harness.browser, origin, query));
  }
  const [median] = loads.toSorted((one, other) => one.cardMs - other.cardMs).slice(DASHBOARD_RUNS >> 1);
  if (!median) throw new Error("the dashboard was not loaded");
  return median;
}

async function loadDashboard(
  browser: Browser,
  origin: string,
  query: URLSearchParams,
): Promise<DashboardFigures> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: "en-US",
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  await page.goto(`${origin}/sandbox/sign-in?${query.toString()}`);
  await page.waitForURL("**/flex/dashboard");
  await page.goto("about:blank");
  const devTools = await context.newCDPSession(page);
  await devTools.send("Network.enable");
  await devTools.send("Network.clearBrowserCache");
  await devTools.send("Network.emulateNetworkConditions", { offline: false, ...SLOW_4G });
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`${origin}/flex/dashboard`, { waitUntil: "commit" });
  const cardMs = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const isThere = () => document.querySelector('[data-testid="system-card"]') !== null;
        const look = () =>
          isThere() ? requestAnimationFrame(() => resolve(performance.now())) : requestAnimationFrame(look);
        look();
      }),
  );
  const asked = [...requests];
  await page.waitForFunction(() => document.querySelector("#root [data-skeleton]") === null);
  const askedInAll = [...requests];
  await context.close();
  return {
    cardMs: Math.round(cardMs),
    requests: asked.length,
    scriptBytes: await scriptBytes(asked),
    wholeScriptBytes: await scriptBytes(askedInAll),
  };
}

async function scriptBytes(urls: readonly string[]): Promise<number> {
  const scripts = urls.filter((url) => url.endsWith(".js")).map((url) => new URL(url).pathname);
  const sizes = await Promise.all(
    scripts.map(async (path) => gzipSync(await readFile(`${BUILD_DIR}/client${path}`)).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}
