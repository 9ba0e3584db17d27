import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { LANGUAGES, type Language } from "../../db/shapes/language.ts";
import { launchBrowser } from "../support/browser.ts";
import { animateWebp, type Frame } from "./animated-webp.ts";
import { drawArchitecture } from "./architecture.ts";

// `npm run pictures`: photographs the running product, as the demo driver has it. The landing page, the installed app's
// description, shared links and README show them, so that none shows a product that no longer is.
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const OUT = `${ROOT}/web/public/pictures`;
const PORT = 5190;
const ORIGIN = `http://localhost:${PORT}`;

const DEVICES = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  desk: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 },
} as const;
type Device = keyof typeof DEVICES;

const SCREENS = {
  dashboard: "/flex/dashboard",
  blocks: "/flex/blocks?type=disliked",
  filters: "/flex/filters",
} as const;

/** The size that networks expect of a link's picture. */
const SHARE = { viewport: { width: 1200, height: 630 }, deviceScaleFactor: 1 };

/** A phone's upper half, where a capture shows. */
const CAPTURE = { width: 390, height: 640 };
const FRAME_MS = 200;
/** The frames kept before and after a capture. */
const FRAMES_BEFORE = 8;
const FRAMES_AFTER = 14;
const LAST_FRAME_MS = 2_500;
const CAPTURE_WITHIN_MS = 120_000;

// `npm run pictures -- capture` makes the animation alone.
const isAll = !process.argv.includes("capture");
for (const theme of ["light", "dark"] as const)
  writeFileSync(`${OUT}/architecture-${theme}.svg`, drawArchitecture(theme));
const server = await startProduct();
const browser = await launchBrowser();
try {
  mkdirSync(OUT, { recursive: true });
  await filmCapture();
  for (const language of isAll ? LANGUAGES : []) {
    await photographLanding(language);
    for (const device of ["phone", "desk"] as const) await photographScreens(language, device);
  }
} finally {
  await browser.close();
  if (server.pid !== undefined) process.kill(-server.pid, "SIGTERM");
}

/** The product with its demo driver, once it prints its addresses. */
async function startProduct(): Promise<ChildProcess> {
  const child = spawn("npm", ["run", "dev", "--", "--port", String(PORT)], { cwd: ROOT, detached: true });
  child.stderr.pipe(process.stderr);
  await new Promise<void>((resolve, reject) => {
    let printed = "";
    child.stdout.on("data", (text: Buffer) => {
      printed += text.toString();
      if (printed.includes("/sandbox/sign-in")) resolve();
    });
    child.once("exit", () => reject(new Error(`npm run dev ended:\n${printed}`)));
  });
  return child;
}

/** The picture of a link to the landing page. */
async function photographLanding(language: Language): Promise<void> {
  const page = await openPage(browser, { ...SHARE, locale: language });
  await page.goto(`${ORIGIN}/${language}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await settle(page);
  await page.addStyleTag({ content: "header, footer { visibility: hidden } main { margin-top: -3rem }" });
  writeFileSync(`${OUT}/share-${language}.png`, await page.screenshot());
  await page.context().close();
}

async function photographScreens(language: Language, device: Device): Promise<void> {
  const page = await openPage(browser, { ...DEVICES[device], locale: language });
  await page.goto(`${ORIGIN}/sandbox/sign-in`);
  await page.waitForURL("**/flex/**");
  const menu = page.getByTestId("language-menu");
  if (await menu.isVisible()) await menu.locator("summary").click();
  await page.locator(`header button[lang="${language}"]:visible`).click();
  await page.locator(`html[lang="${language}"]`).waitFor({ state: "attached" });
  for (const [name, path] of Object.entries(SCREENS)) {
    await page.goto(`${ORIGIN}${path}`);
    await page.locator("main:not(:has([data-skeleton])) h1").waitFor({ state: "attached" });
    await settle(page);
    writeFileSync(`${OUT}/${name}-${device}-${language}.webp`, await toWebp(page, await page.screenshot()));
  }
  await page.context().close();
}

/** A capture as the driver sees it: the dashboard from a moment before it until it stands in the feed. */
async function filmCapture(): Promise<void> {
  const page = await openPage(browser, {
    viewport: CAPTURE,
    deviceScaleFactor: 1,
    locale: "en",
    reducedMotion: "no-preference",
  });
  await page.goto(`${ORIGIN}/sandbox/sign-in`);
  await page.waitForURL("**/flex/**");
  await page.goto(`${ORIGIN}/flex/dashboard`);
  await page.getByTestId("system-card").waitFor();
  await settle(page);
  const toasts = page.locator("[data-sonner-toast]");
  // The toast of a capture before this one is not part of it.
  await toasts.first().waitFor({ state: "detached", timeout: CAPTURE_WITHIN_MS });
  const shots: Buffer[] = [];
  const giveUpAt = Date.now() + CAPTURE_WITHIN_MS;
  for (let after = 0; after < FRAMES_AFTER;) {
    if (Date.now() > giveUpAt) throw new Error("nothing was captured");
    const shownAt = Date.now() + FRAME_MS;
    shots.push(await page.screenshot());
    if (after > 0 || (await toasts.count()) > 0) after += 1;
    await page.waitForTimeout(Math.max(0, shownAt - Date.now()));
  }
  const frames: Frame[] = [];
  let previous: Buffer | undefined;
  for (const shot of shots.slice(-FRAMES_AFTER - FRAMES_BEFORE)) {
    const last = frames.at(-1);
    if (last && previous?.equals(shot)) last.durationMs += FRAME_MS;
    else frames.push({ webp: await toWebp(page, shot), durationMs: FRAME_MS });
    previous = shot;
  }
  const last = frames.at(-1);
  if (last) last.durationMs += LAST_FRAME_MS;
  writeFileSync(`${OUT}/capture.webp`, animateWebp(frames, CAPTURE));
  await page.context().close();
}

async function openPage(from: Browser, options: Parameters<Browser["newContext"]>[0]): Promise<Page> {
  const context = await from.newContext({ colorScheme: "light", reducedMotion: "reduce", ...options });
  return context.newPage();
}

/** Until fonts have loaded and nothing is on its way. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => undefined);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

/** The same picture at about a tenth of its size, by the browser's own encoder. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const canvasPage = await page.context().newPage();
  const url = await canvasPage.evaluate(
    async (source) => {
      const bitmap = await createImageBitmap(await (await fetch(source)).blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
      const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.8 });
      return new Promise<string>((resolve) => {
        const reader = new FileReader();
        reader.addEventListener("load", () => resolve(String(reader.result)));
        reader.readAsDataURL(blob);
      });
    },
    `data:image/png;base64,${png.toString("base64")}`,
  );
  await canvasPage.close();
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}
