import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES, type Language } from "../../../db/shapes/language.ts";
import { prepare, readShift, settle } from "../../matrix/in-page.ts";
import { MOST_SHIFT } from "../../matrix/walk.ts";
import { openBrowser } from "../../support/browser.ts";
import { startBuiltApp, type BuiltApp } from "../../support/runtime/built-app.ts";
import { shuffle } from "../../support/seeded-rolls.ts";
import { RUN_SEED } from "../../support/run-seed.ts";

/** With `FONTS=whole` every load, else as many as this. */
const IS_WHOLE = process.env["FONTS"] === "whole";
const PART = 6;

/** A font on a slow connection: the page is long painted. */
const LATE_MS = 800;
const QUIET = { quietMs: 250, longestMs: 1_500 };

const loads = ["/", "/terms", "/faqs", "/contact", "/login"].flatMap((path) =>
  LANGUAGES.flatMap((language) =>
    [320, 390, 1_440].flatMap((width) => [100, 200].map((text) => ({ path, language, width, text }))),
  ),
);

let app: BuiltApp;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([startBuiltApp(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

/** Whether the first heading is set in our font. */
async function isOurs(page: Page): Promise<boolean> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("DOM.enable");
  await devtools.send("CSS.enable");
  const { root } = await devtools.send("DOM.getDocument");
  const { nodeId } = await devtools.send("DOM.querySelector", { nodeId: root.nodeId, selector: "h1" });
  const { fonts } = await devtools.send("CSS.getPlatformFontsForNode", { nodeId });
  await devtools.detach();
  return fonts.every(({ familyName }) => familyName.startsWith("Familjen"));
}

/** How far a page moves while its fonts come, and whether they are used before its visitor presses anything. */
async function shiftOf({ path, language, width, text }: (typeof loads)[number]) {
  const context = await browser.newContext({
    viewport: { width, height: width < 768 ? 844 : 900 },
    locale: LOCALES[language],
    serviceWorkers: "block",
    reducedMotion: "reduce",
  });
  try {
    const page = await context.newPage();
    await context.addInitScript(prepare, text);
    await page.route("**/*.woff2", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, LATE_MS));
      await route.continue();
    });
    await page.goto(`${app.origin}${path}`, { waitUntil: "commit" });
    await page.locator("h1").first().waitFor({ state: "attached" });
    // They came, whether they are used or not.
    await page.waitForFunction(
      () => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".woff2")).length > 1,
    );
    await page.evaluate(settle, QUIET);
    const shift = await page.evaluate(readShift);
    const isUsed = await isOurs(page);
    await page.keyboard.press("Shift");
    await expect.poll(() => isOurs(page)).toBe(true);
    return { ...shift, isUsed };
  } finally {
    await context.close();
  }
}

const LOCALES: Record<Language, string> = { en: "en-US", es: "es-MX", pt: "pt-BR" };

describe(`late fonts, seed ${RUN_SEED}`, () => {
  it(
    "move nothing that is read, and are used at once where they would not, else after the first press",
    async () => {
      const moved: string[] = [];
      let used = 0;
      const loaded = shuffle(loads, RUN_SEED).slice(0, IS_WHOLE ? undefined : PART);
      for (const load of loaded) {
        const { sum, worst, isUsed } = await shiftOf(load);
        if (isUsed) used++;
        if (sum > MOST_SHIFT) moved.push(`${JSON.stringify(load)}: ${sum.toFixed(3)}, ${worst}`);
      }
      console.log(
        `late fonts: ${loaded.length} of ${loads.length} loads, ${used} used at once, seed ${RUN_SEED}`,
      );
      expect(moved.toSorted()).toEqual([]);
      if (IS_WHOLE) expect(used).toBeGreaterThan(loads.length / 2);
    },
    IS_WHOLE ? 1_800_000 : 120_000,
  );
});
