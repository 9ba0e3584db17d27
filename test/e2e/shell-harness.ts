import type { Browser, BrowserContext, Page } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { startBuiltApp } from "../support/runtime/built-app.ts";
import { chooseLanguage, registerDriver, type RegisteredDriver } from "../support/drivers.ts";
import { gotoWith, sandboxSession } from "../support/stored-session.ts";
import { formAlive } from "./account-harness.ts";
import type { Language } from "../../db/shapes/language.ts";
import type { E2eHarness } from "./harness.ts";

/** Every contact, and terms that were reviewed. */
export const SUPPORT = {
  SUPPORT_EMAIL: "help@jornada.example",
  SUPPORT_PHONE: "+15550100199",
  SUPPORT_WHATSAPP: "+15550100198,+15550100197",
  ANNOUNCEMENTS_URL: "https://announcements.example/jornada",
  LEGACY_URL: "https://old.jornada.example",
  TERMS_DATE: "2027-01-05",
};
export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1280, height: 900 };

type ContextOptions = NonNullable<Parameters<Browser["newContext"]>[0]>;
type OpenedPage = { page: Page; context: BrowserContext };

export type ShellHarness = E2eHarness & {
  /** A visitor's page; `prepare` runs before it loads. */
  open: (
    path: string,
    options?: ContextOptions,
    prepare?: (page: Page) => Promise<unknown>,
  ) => Promise<OpenedPage>;
  /** A driver with a record and service, on one of their screens. */
  openSignedIn: (
    path: string,
    options?: ContextOptions,
  ) => Promise<OpenedPage & { person: RegisteredDriver }>;
};

/** A visitor's first moves, which a public page waits for. Before its first paint the browser drops them. */
export async function bringToLife(page: Page): Promise<void> {
  const asleep = page.locator('#root[data-painted="asleep"]');
  for (let step = 1; (await asleep.count()) > 0; step++) {
    await page.mouse.move(step, step);
    await asleep.waitFor({ state: "detached", timeout: 500 }).catch(() => undefined);
  }
  // A form wakes by itself; until then a link of it loads another page.
  await formAlive(page);
}

/** The built product with every support contact set, in a real Chromium. */
export async function openShellHarness(): Promise<ShellHarness> {
  const [app, browser] = await Promise.all([startBuiltApp({ settings: SUPPORT }), openBrowser()]);

  const open: ShellHarness["open"] = async (path, options = {}, prepare) => {
    // A service worker would bring from the device what a story takes away.
    const context = await browser.newContext({
      viewport: PHONE,
      locale: "en-US",
      serviceWorkers: "block",
      ...options,
    });
    const page = await context.newPage();
    await prepare?.(page);
    await page.goto(`${app.origin}${path}`);
    await page.locator("#content, [role=alert]").first().waitFor();
    await bringToLife(page);
    return { page, context };
  };

  return {
    app,
    browser,
    open,
    openSignedIn: async (path, options = {}) => {
      const person = await registerDriver(app);
      await chooseLanguage(app, person, options.locale);
      // A service worker would bring from the device what a story takes away.
      const context = await browser.newContext({
        viewport: PHONE,
        locale: "en-US",
        serviceWorkers: "block",
        ...options,
      });
      const page = await context.newPage();
      await gotoWith(page, `${app.origin}${path}`, await sandboxSession(app.origin, person));
      await page
        .getByRole("button", { name: /sign out|cerrar sesión|sair/i })
        .first()
        .waitFor({ state: "attached" });
      return { page, context, person };
    },
    close: async () => {
      await browser.close();
      await app.stop();
    },
  };
}

/**
 * Chooses a language in a narrow header, and waits for it: the page mounts anew in it, and a click that begins before that
 * has nothing to end on.
 */
export async function chooseInMenu(page: Page, language: Language): Promise<void> {
  const menu = page.getByTestId("language-menu");
  await menu.locator("summary").press("Enter");
  await menu.locator(`button[lang="${language}"]`).press("Enter");
  await page.locator(`html[lang="${language}"]`).waitFor();
}

/** The name of the focused element. */
export const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent,
  );

/** Makes the next render of the page's frame throw. */
export const breakFrame = () => {
  // oxlint-disable-next-line no-extend-native -- runs only in the page under test
  Date.prototype.getFullYear = () => {
    throw new RangeError("no year today");
  };
};
