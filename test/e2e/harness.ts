import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { startBuiltApp, type BuiltApp } from "../support/runtime/built-app.ts";
import { openBrowser } from "../support/browser.ts";
import { DriverClient } from "../support/driver-client.ts";
import {
  permissiveFilters,
  permissiveWarehouseFilter,
  linkPlatformAccount,
  postJson,
  signIn,
} from "../support/sandbox-client.ts";
import { chooseLanguage, registerDriver, type RegisteredDriver } from "../support/drivers.ts";
import { gotoWith, sandboxSession } from "../support/stored-session.ts";
import type { WarehouseId } from "../../db/shapes/units.ts";

export type E2eHarness = { app: BuiltApp; browser: Browser; close: () => Promise<void> };
/** The stories of one file share its product, which is started before the first of them. */
export type OpenHarness = () => E2eHarness;
export type ActiveDriver = RegisteredDriver & { client: DriverClient; warehouseIds: WarehouseId[] };

export const DESK = { viewport: { width: 1280, height: 900 } };

/** The built product with the sandbox, in a real Chromium. */
export async function openE2eHarness(settings: Record<string, string> = {}): Promise<E2eHarness> {
  const [app, browser] = await Promise.all([startBuiltApp({ settings }), openBrowser()]);
  return {
    app,
    browser,
    close: async () => {
      await browser.close();
      await app.stop();
    },
  };
}

/**
 * Resets the platform to an empty world, with one linked driver who is on, in turbo mode, with filters for three
 * warehouses.
 */
export async function createActiveDriver(harness: E2eHarness): Promise<ActiveDriver> {
  const target = { fetch, origin: harness.app.origin };
  await postJson(target, "/sandbox/world", { reset: true, generate: false, seed: 1 });
  return joinActiveDriver(harness);
}

/** One more such driver on the platform as it is. */
export async function joinActiveDriver({ app }: E2eHarness): Promise<ActiveDriver> {
  const target = { fetch, origin: app.origin };
  const person = await registerDriver(app);
  const client = new DriverClient({ ...target, token: await signIn(target, person) });
  await linkPlatformAccount({ ...target, client }, person.email);
  const { warehouses } = await client.warehouses();
  const warehouseIds = warehouses.map((warehouse) => warehouse.warehouseId);
  await client.saveFilters(
    permissiveFilters(warehouseIds.slice(0, 3).map((id) => permissiveWarehouseFilter(id))),
  );
  await client.patchUser({ mode: "masacre" });
  const switched = await client.patchUser({ phoneNumber: person.phoneNumber, userDisabled: 0 });
  if (!switched.ok) throw new Error(await switched.text());
  return { ...person, client, warehouseIds };
}

/** With `clock`, the page's time can be advanced; until then it runs normally. */
type ContextOptions = NonNullable<Parameters<Browser["newContext"]>[0]> & { clock?: boolean };

/** The driver's phone, signed in, on the dashboard. */
export async function openDashboard(
  harness: E2eHarness,
  driver: RegisteredDriver,
  options: ContextOptions = {},
): Promise<{ page: Page; context: BrowserContext; errors: string[] }> {
  const opened = await openAs(harness, driver, "/flex/dashboard", options);
  await opened.page.getByRole("switch").first().waitFor();
  return opened;
}

/** The driver's phone, signed in, on the given path. */
export async function openAs(
  { app, browser }: E2eHarness,
  driver: RegisteredDriver,
  path: string,
  { clock = false, ...options }: ContextOptions = {},
): Promise<{ page: Page; context: BrowserContext; errors: string[] }> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: "en-US",
    // Service workers are opt-in, so that other tests see every request of the page.
    serviceWorkers: "block",
    ...options,
  });
  if (clock) await context.clock.install();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await chooseLanguage(app, driver, options.locale);
  await gotoWith(page, `${app.origin}${path}`, await sandboxSession(app.origin, driver));
  return { page, context, errors };
}

/** How far above a phone's tabs a bar ends, in whole pixels. */
export async function gapAboveTabs(page: Page, bar: string): Promise<number> {
  const box = await page.getByTestId(bar).boundingBox();
  const tabs = await page
    .getByRole("navigation", { name: "Main menu" })
    .locator("visible=true")
    .boundingBox();
  return Math.round((tabs?.y ?? Number.NaN) - (box?.y ?? 0) - (box?.height ?? 0));
}

/** The driver turns to the page again, as from another app; it is not loaded anew. */
export async function returnTo(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
}

/** Advances the clock of a page opened with `clock` second by second until a condition holds. */
export async function advanceUntil(page: Page, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const check = async () => {
    if (await isSo()) return true;
    await page.clock.fastForward(1_000);
    return false;
  };
  await expect.poll(check).toBe(true);
}

/** Publishes an offer. */
export async function publishOffer(
  { app }: E2eHarness,
  warehouseId: WarehouseId,
  { inMinutes = 180, minutes = 180, payCents = 9000 } = {},
): Promise<string> {
  const { offerId } = await postJson<{ offerId: string }>(
    { fetch, origin: app.origin },
    "/sandbox/platform/offers",
    {
      warehouseId,
      startsAt: new Date(Math.ceil(Date.now() / 60_000) * 60_000 + inMinutes * 60_000).toISOString(),
      minutes,
      payCents,
    },
  );
  return offerId;
}

type Accept = { offerId: string; at: number; status: number };

export async function fetchAccepts({ app }: E2eHarness): Promise<Accept[]> {
  const response = await fetch(`${app.origin}/sandbox/platform/accepts`);
  return ((await response.json()) as { accepts: Accept[] }).accepts;
}
