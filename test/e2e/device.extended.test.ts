import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import en from "../../locales/en.json" with { type: "json" };
import { launchBrowser } from "../support/browser.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../support/sandbox-client.ts";
import { translatePage } from "../support/translated.ts";
import {
  createActiveDriver,
  fetchAccepts,
  openAs,
  openE2eHarness,
  publishOffer,
  type E2eHarness,
} from "./harness.ts";
import { bringToLife, chooseInMenu, PHONE } from "./shell-harness.ts";

// Devices as drivers have them: nobody set their clocks, and their browsers translate, and keep a page that one leaves, to show
// it again as it was.
let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness();
});
afterAll(() => harness.close());

const MINUTE_MS = 60_000;

/** Sets the device's clock wrong before each load of the context's pages. */
function shiftClock(offsetMs: number): void {
  const RealDate = Date;
  class ShiftedDate extends RealDate {
    constructor(...given: [] | [number]) {
      if (given.length === 0) super(RealDate.now() + offsetMs);
      else super(...given);
    }
    static override now() {
      return RealDate.now() + offsetMs;
    }
  }
  globalThis.Date = ShiftedDate as DateConstructor;
}

describe.each([
  ["slow", -20 * MINUTE_MS],
  ["fast", 20 * MINUTE_MS],
])("a device whose clock is %s", (_clock, offsetMs) => {
  it("lets its driver answer a question and use the switch", async () => {
    const driver = await createActiveDriver(harness);
    const [warehouseId] = driver.warehouseIds;
    const asking = { ...permissiveWarehouseFilter(warehouseId!), action: "ask" as const, askSeconds: 120 };
    await driver.client.saveFilters(permissiveFilters([asking]));
    const { page, errors } = await openAs(harness, driver, "/terms");
    await page.addInitScript(shiftClock, offsetMs);
    await page.goto(`${harness.app.origin}/flex/dashboard`);
    await page.getByRole("switch").first().waitFor();

    await publishOffer(harness, warehouseId!, { inMinutes: 180 });
    const question = page.getByTestId("question");
    await question.getByRole("button", { name: "Take", exact: true }).click();
    await question.getByText("Block captured").waitFor();
    expect(await fetchAccepts(harness)).toHaveLength(1);

    await turnOff(page);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

const WITH_TIMES = [
  "/flex/dashboard",
  "/flex/blocks?type=upcoming",
  "/flex/filters",
  "/flex/payments",
  "/flex/profile",
  "/flex/hours",
  "/flex/week",
];

it("has every screen where its system names no time zone", async () => {
  const browser = await launchBrowser([], { TZ: "" });
  const driver = await createActiveDriver(harness);
  await publishOffer(harness, driver.warehouseIds[0]!, { payCents: 10_150 });
  const { page, errors } = await openAs({ ...harness, browser }, driver, "/flex/dashboard");
  expect(await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)).toBe("Etc/Unknown");
  await page.getByText("$101.50").first().waitFor();
  for (const path of WITH_TIMES) {
    await page.goto(`${harness.app.origin}${path}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await expect.poll(() => page.locator("#root [data-skeleton]").count()).toBe(0);
    expect([path, await page.getByText(en.oops_what).count()]).toEqual([path, 0]);
  }
  expect(errors).toEqual([]);
  await browser.close();
});

async function turnOff(page: Page): Promise<void> {
  await page.getByRole("switch").first().click();
  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByText("We won't capture anything until you turn it on.").waitFor();
}

describe("a page that the browser kept, and shows again", () => {
  it("is not the driver's any more where another page signed out meanwhile", async () => {
    const driver = await createActiveDriver(harness);
    const { page, context, errors } = await openAs(harness, driver, "/flex/profile");
    await page.getByText("(555)").first().waitFor();
    await page.evaluate(() => {
      localStorage.clear();
      dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    });
    await page.getByLabel("Password", { exact: true }).waitFor();
    expect(await page.getByText("(555)").count()).toBe(0);
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("a browser that translates", () => {
  it("leaves a driver's screen as it is", async () => {
    const driver = await createActiveDriver(harness);
    const { page, context, errors } = await openAs(harness, driver, "/flex/dashboard");
    await page.getByRole("switch").first().waitFor();
    await page.evaluate(translatePage);
    await turnOff(page);
    expect(await page.locator("font").count()).toBe(0);
    expect(errors).toEqual([]);
    await context.close();
  });

  it.each(["/", "/terms", "/faqs", "/contact", "/health"])(
    "translates a page for everybody, which goes on working, and none that it leads to: %s",
    async (path) => {
      const context = await harness.browser.newContext({
        viewport: PHONE,
        locale: "en-US",
        serviceWorkers: "block",
      });
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("pageerror", ({ message }) => errors.push(message));
      await page.goto(`${harness.app.origin}${path}`);
      await page.evaluate(translatePage);
      await page.getByRole("heading", { level: 1 }).filter({ hasText: "«" }).waitFor();
      await bringToLife(page);
      if (path === "/faqs") {
        await page.getByRole("searchbox").fill("raffle");
        await page.getByRole("status").filter({ hasText: /\d/ }).waitFor();
        await page.getByRole("searchbox").fill("");
      }
      for (const summary of await page.locator("main summary").all()) await summary.click();
      await chooseInMenu(page, "es");
      await page.getByRole("heading", { level: 1 }).filter({ hasText: "«" }).waitFor();
      await page.locator('a[href="/login"]').locator("visible=true").first().click();
      await page.getByLabel("Contraseña", { exact: true }).waitFor();
      expect(await page.locator("main font").count()).toBe(0);
      expect(errors).toEqual([]);
      await context.close();
    },
  );
});
