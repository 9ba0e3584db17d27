import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Language } from "../../db/shapes/language.ts";
import type { RegisteredDriver } from "../support/drivers.ts";
import { findViolations } from "../support/accessibility.ts";
import { nameOf, THEMES, type Cell, type Viewer } from "./cells.ts";
import { measure, prepare, readShift, settle } from "./in-page.ts";

/** The most that what is on the screen may move by itself, as browsers measure it. */
export const MOST_SHIFT = 0.02;
/** For a thumb; on a desk there is a pointer. */
const LEAST_TARGET_PX = 44;
const WIDEST_TOUCH = 768;

const QUIET = { quietMs: 250, longestMs: 1_500 };

export type Finding = { cell: string; problems: string[] };
type Stage = {
  browser: Browser;
  origin: string;
  actors: Record<Exclude<Viewer, "visitor">, RegisteredDriver>;
  /** Of the drivers' records, which their pages follow. */
  setLanguage: (language: Language) => Promise<unknown>;
};

/** Loads a screen as a cell says, and everything that is wrong with it. */
export async function visit(stage: Stage, cell: Cell): Promise<Finding> {
  const { page, context } = await openCell(stage, cell);
  try {
    const problems = [...(await shiftProblems(page)), ...(await measured(page, cell))];
    for (const theme of THEMES) {
      await page.evaluate((name) => {
        document.documentElement.dataset["theme"] = name;
      }, theme);
      const violations = await findViolations(page);
      problems.push(...violations.map((violation) => `${theme}: ${violation}`));
    }
    return { cell: nameOf(cell), problems };
  } finally {
    await context.close();
  }
}

/** What moves when a block is captured. */
export async function visitCapture(
  stage: Stage,
  cell: Cell,
  capture: (page: Page) => Promise<void>,
): Promise<Finding> {
  const { page, context } = await openCell(stage, { ...cell, path: "/flex/dashboard", viewer: "driver" });
  try {
    const { sum: before } = await page.evaluate(readShift);
    await capture(page);
    await page.evaluate(settle, QUIET);
    const { sum, worst } = await page.evaluate(readShift);
    const problems =
      sum - before > MOST_SHIFT ? [`a capture shifts ${(sum - before).toFixed(3)}: ${worst}`] : [];
    return { cell: `capture ${nameOf(cell)}`, problems };
  } finally {
    await context.close();
  }
}

async function openCell(
  { browser, origin, actors, setLanguage }: Stage,
  { path, viewer, language, width, text }: Cell,
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({
    viewport: { width, height: width < 768 ? 844 : 900 },
    locale: { en: "en-US", es: "es-MX", pt: "pt-BR" }[language],
    serviceWorkers: "block",
    reducedMotion: "reduce",
    hasTouch: width <= WIDEST_TOUCH,
  });
  const page = await context.newPage();
  await setLanguage(language);
  if (viewer !== "visitor") {
    const { driverId, phoneNumber } = actors[viewer];
    const query = new URLSearchParams({ sub: driverId, phone: phoneNumber });
    await page.goto(`${origin}/sandbox/sign-in?${query.toString()}`);
    await page.waitForURL("**/flex/**");
  }
  await context.addCookies([{ name: "PARAGLIDE_LOCALE", value: language, url: origin }]);
  await context.addInitScript(prepare, text);
  await page.goto(`${origin}${path}`);
  await page.locator("h1").first().waitFor({ state: "attached" });
  await page.evaluate(settle, QUIET);
  return { page, context };
}

async function shiftProblems(page: Page): Promise<string[]> {
  const { sum, worst } = await page.evaluate(readShift);
  return sum > MOST_SHIFT ? [`shifts ${sum.toFixed(3)}: ${worst}`] : [];
}

async function measured(page: Page, { width }: Cell): Promise<string[]> {
  const { problems } = await page.evaluate(measure, { least: width <= WIDEST_TOUCH ? LEAST_TARGET_PX : 0 });
  return problems;
}
