import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { startBuiltApp, type BuiltApp } from "../support/built-app.ts";
import { launchBrowser } from "../support/browser.ts";
import { DriverClient } from "../support/driver-client.ts";
import { easyFilters, easyRule, link, post, signIn } from "../support/demo.ts";
import { registerDriver, type TestPerson } from "../support/people.ts";
import type { WarehouseId } from "../../durable/engine/units.ts";

export type Stage = { app: BuiltApp; browser: Browser; close: () => Promise<void> };
export type Actor = TestPerson & { client: DriverClient; warehouseIds: WarehouseId[] };

/** The built product with the sandbox, and a real Chromium. */
export async function openStage(): Promise<Stage> {
  const [app, browser] = await Promise.all([startBuiltApp(), launchBrowser()]);
  return {
    app,
    browser,
    close: async () => {
      await browser.close();
      await app.stop();
    },
  };
}

/** A quiet platform that has forgotten every other driver, and one who is linked, has rules for three warehouses and is on, in turbo. */
export async function enter({ app }: Stage): Promise<Actor> {
  const outside = { fetch, origin: app.origin };
  await post(outside, "/sandbox/world", { reset: true, generate: false, seed: 1 });
  const person = await registerDriver(app);
  const client = new DriverClient({ ...outside, token: await signIn(outside, person) });
  await link({ ...outside, client }, person.email);
  const { warehouses } = await client.warehouses();
  const warehouseIds = warehouses.map((warehouse) => warehouse.warehouseId);
  await client.saveFilters(easyFilters(warehouseIds.slice(0, 3).map((id) => easyRule(id))));
  await client.patchUser({ mode: "masacre" });
  const switched = await client.patchUser({ phoneNumber: person.phoneNumber, userDisabled: 0 });
  if (!switched.ok) throw new Error(await switched.text());
  return { ...person, client, warehouseIds };
}

/** `clock` makes the page's time one that can be moved ahead; it runs as ever otherwise. */
type Look = NonNullable<Parameters<Browser["newContext"]>[0]> & { clock?: boolean };

/** The driver's phone: signed in, the dashboard open. */
export async function openDashboard(
  stage: Stage,
  actor: TestPerson,
  look: Look = {},
): Promise<{ page: Page; context: BrowserContext; errors: string[] }> {
  const opened = await openSignedIn(stage, actor, look);
  await opened.page.getByRole("switch").first().waitFor();
  return opened;
}

/** The driver's phone: signed in, a path open. */
export async function openAs(
  stage: Stage,
  actor: TestPerson,
  path: string,
  look: Look = {},
): Promise<{ page: Page; context: BrowserContext; errors: string[] }> {
  const opened = await openSignedIn(stage, actor, look);
  await opened.page.goto(`${stage.app.origin}${path}`);
  return opened;
}

async function openSignedIn({ app, browser }: Stage, actor: TestPerson, { clock = false, ...look }: Look) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: "en-US",
    // Whoever tells of the service worker asks for it: the others see each request leave the page.
    serviceWorkers: "block",
    ...look,
  });
  if (clock) await context.clock.install();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  const query = new URLSearchParams({ sub: actor.driverId, phone: actor.phoneNumber });
  await page.goto(`${app.origin}/sandbox/sign-in?${query.toString()}`);
  await page.waitForURL("**/flex/dashboard");
  return { page, context, errors };
}

/** Lets seconds pass in a page, as many as it takes until something is so there. It was opened with `clock`. */
export async function passUntil(page: Page, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const look = async () => {
    if (await isSo()) return true;
    await page.clock.fastForward(1_000);
    return false;
  };
  await expect.poll(look).toBe(true);
}

/** Drops an offer by the desk's route. */
export async function drop(
  { app }: Stage,
  warehouseId: WarehouseId,
  { inMinutes = 180, minutes = 180, payCents = 9000 } = {},
): Promise<string> {
  const { offerId } = await post<{ offerId: string }>(
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

export async function accepts({ app }: Stage): Promise<Accept[]> {
  const answer = await fetch(`${app.origin}/sandbox/platform/accepts`);
  return ((await answer.json()) as { accepts: Accept[] }).accepts;
}
