import type { Browser, BrowserContext, Page, WebSocketRoute } from "playwright-core";
import type { Language } from "../../db/shapes/language.ts";
import type { RegisteredDriver } from "../support/drivers.ts";
import { findViolations } from "../support/accessibility.ts";
import { nameOf, THEMES, type Cell, type Viewer } from "./cells.ts";
import { measureSheet } from "./in-page-sheet.ts";
import { measureMoney, measurePadding, measureTextBoxes } from "./in-page-text.ts";
import { measure, prepare, readShift, settle } from "./in-page.ts";
import { storeAtEachLoad, sandboxSession } from "../support/stored-session.ts";
import { isDialog, openSheet } from "./sheets.ts";

/** The most that what is on the screen may move by itself, as browsers measure it. */
export const MOST_SHIFT = 0.02;
/** A new line moves those beneath it by its height: on a tablet that is 57 px of 900, over two fifths of the screen. */
const MOST_SHIFT_BY_LINE = 0.03;
/** For a thumb; on a desk there is a pointer. */
const LEAST_TARGET_PX = 44;
const WIDEST_TOUCH = 768;

const QUIET = { quietMs: 250, longestMs: 1_500 };

const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** For anything to show up, on a machine that is busy too: more means that it doesn't. */
const PATIENCE_MS = 45_000;

/**
 * A font that comes after the first paint may break a line elsewhere. `npm run test:extended` judges what moves until
 * then, so that it never fails by chance; `npm run matrix` the fonts too, as they come, or with `MATRIX_FONTS=late`
 * after each first paint.
 */
const { MATRIX } = process.env;
const ARE_FONTS_HELD = MATRIX === undefined || process.env["MATRIX_FONTS"] === "late";

export type Finding = { cell: string; problems: string[] };
type Stage = {
  browser: Browser;
  origin: string;
  actors: Record<Exclude<Viewer, "visitor">, RegisteredDriver>;
  /** A payment of the driver's, for its receipt. */
  paymentId: string;
  /** Of the drivers' records, which their pages follow. */
  setLanguage: (language: Language) => Promise<unknown>;
};

/** Loads a screen as a cell says, and everything that is wrong with it. */
export async function visit(stage: Stage, cell: Cell): Promise<Finding> {
  const context = await newContext(stage, cell);
  try {
    const { page, shift } = await openCell(stage, cell, context);
    const problems = problemsOfShift("shifts", shift);
    if (cell.sheet) {
      await openSheet(page, cell.sheet, cell.language);
      await page.evaluate(settle, QUIET);
      if (isDialog(cell.sheet)) problems.push(...(await page.evaluate(measureSheet)).problems);
    }
    problems.push(...(await measured(page, cell)));
    for (const [index, theme] of THEMES.entries()) {
      await page.evaluate((name) => {
        document.documentElement.dataset["theme"] = name;
      }, theme);
      await keepShot(page, cell, theme);
      // A theme is nothing but colors.
      const violations = await findViolations(page, index === 0 ? {} : { rules: COLOR_RULES });
      problems.push(...violations.map((violation) => `${theme}: ${violation}`));
    }
    return { cell: nameOf(cell), problems };
  } catch (error) {
    // The run visits the other cells all the same.
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return { cell: nameOf(cell), problems: [`can't be looked at: ${reason}`] };
  } finally {
    await context.close();
  }
}

/** Layout shift of a load alone. */
export async function visitLoad(stage: Stage, cell: Cell): Promise<Finding> {
  const context = await newContext(stage, cell);
  try {
    const { shift } = await openCell(stage, cell, context);
    return { cell: nameOf(cell), problems: problemsOfShift("shifts", shift) };
  } finally {
    await context.close();
  }
}

/** `MATRIX_SHOTS` names the folder of the pictures. */
async function keepShot(page: Page, cell: Cell, theme: string): Promise<void> {
  const { MATRIX_SHOTS } = process.env;
  if (!MATRIX_SHOTS) return;
  const name = nameOf(cell).replaceAll(/\W+/g, "-");
  await page.screenshot({
    path: `${MATRIX_SHOTS}/${name}${theme}.png`,
    fullPage: !cell.sheet || !isDialog(cell.sheet),
  });
}

/** Layout shift of a capture. */
export async function visitCapture(
  stage: Stage,
  cell: Cell,
  capture: (page: Page) => Promise<void>,
): Promise<Finding> {
  const context = await newContext(stage, cell);
  try {
    const dashboard = { ...cell, path: "/flex/dashboard", viewer: "driver" } as const;
    const { page } = await openCell(stage, dashboard, context);
    const before = await page.evaluate(readShift);
    await capture(page);
    await page.evaluate(settle, QUIET);
    const after = await page.evaluate(readShift);
    const problems = problemsOfShift(
      "a capture shifts",
      { ...after, sum: after.sum - before.sum },
      MOST_SHIFT_BY_LINE,
    );
    return { cell: `capture ${nameOf(cell)}`, problems };
  } finally {
    await context.close();
  }
}

async function newContext(
  { browser }: Stage,
  { width, language }: Pick<Cell, "width" | "language">,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height: width < 768 ? 844 : 900 },
    locale: { en: "en-US", es: "es-MX", pt: "pt-BR" }[language],
    serviceWorkers: "block",
    reducedMotion: "reduce",
    hasTouch: width <= WIDEST_TOUCH,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

async function openCell(
  stage: Stage,
  { path, viewer, language, text }: Cell,
  context: BrowserContext,
): Promise<{ page: Page; shift: Shift }> {
  const { origin, actors, paymentId, setLanguage } = stage;
  const page = await context.newPage();
  await setLanguage(language);
  if (viewer !== "visitor") await storeAtEachLoad(page, origin, await sandboxSession(origin, actors[viewer]));
  await context.addCookies([{ name: "PARAGLIDE_LOCALE", value: language, url: origin }]);
  await context.addInitScript(prepare, text);
  if (viewer === "driver") await page.routeWebSocket(/\/live$/u, keepPhase);
  const bringFonts = ARE_FONTS_HELD ? await holdFonts(page) : () => undefined;
  await page.goto(`${origin}${path.replace("{payment}", paymentId)}`, { waitUntil: "commit" });
  await page.locator("h1").first().waitFor({ state: "attached" });
  await page.waitForFunction(isStyled);
  await page.evaluate(settle, QUIET);
  const beforeFonts = await page.evaluate(readShift);
  bringFonts();
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.evaluate(settle, QUIET);
  const shift = MATRIX === undefined ? beforeFonts : await page.evaluate(readShift);
  return { page, shift };
}

/** Whether each stylesheet has come: on a busy machine a screen may be there before. */
function isStyled(): boolean {
  return [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].every(
    ({ sheet }) => sheet !== null,
  );
}

/** Lets fonts come only then, which a busy machine would decide otherwise. */
async function holdFonts(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route("**/*.woff2", async (route) => {
    await held.promise;
    await route.continue();
  });
  return () => held.resolve();
}

type LiveMessage = { kind: string; snapshot?: { phase: unknown }; event?: { kind: string } };

/**
 * Leaves the driver's system in the phase that the page saw first: a platform that doesn't answer in time on a busy machine
 * changes the words of the switch's card, whose states have a test of their own.
 */
function keepPhase(socket: WebSocketRoute): void {
  let first: unknown;
  socket.connectToServer().onMessage((data) => {
    if (typeof data !== "string" || !data.startsWith("{")) return socket.send(data);
    const message: LiveMessage = JSON.parse(data);
    first ??= message.snapshot?.phase;
    if (message.event?.kind === "phase_changed") return;
    if (message.snapshot) message.snapshot.phase = first;
    socket.send(JSON.stringify(message));
  });
}

type Shift = ReturnType<typeof readShift>;

function problemsOfShift(what: string, { sum, worst }: Shift, most = MOST_SHIFT): string[] {
  return sum > most ? [`${what} ${sum.toFixed(3)}: ${worst}`] : [];
}

async function measured(page: Page, { width }: Cell): Promise<string[]> {
  const least = width <= WIDEST_TOUCH ? LEAST_TARGET_PX : 0;
  const found = [
    await page.evaluate(measure, { least }),
    await page.evaluate(measureTextBoxes),
    await page.evaluate(measurePadding),
    await page.evaluate(measureMoney),
  ];
  return found.flatMap(({ problems }) => problems);
}
