import type { Page } from "playwright-core";
import { DAY_MS, HOUR_MS } from "../../db/shapes/units.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findViolations } from "../support/accessibility.ts";
import { bringToLife } from "./shell-harness.ts";
import {
  advanceUntil,
  createActiveDriver,
  DESK,
  openDashboard,
  openE2eHarness,
  publishOffer,
  returnTo,
  type E2eHarness,
} from "./harness.ts";
import { openApp, settleApp } from "./offline/app-harness.ts";
import { describeNotificationSettings, describePush } from "./offline/notification-stories.ts";

let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness();
});
afterAll(() => harness.close());

const open = () => harness;

/** The page's data about the driver on the device. */
const keptOf = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((name) => name.startsWith("jornada.last."))
      .toSorted(),
  );

describe("while the server is closed for maintenance", () => {
  it("an open dashboard says so, keeps what it shows, and catches up once the server is back", async () => {
    const { page, context } = await openDashboard(harness, await createActiveDriver(harness));
    await page.getByText("Looking for blocks").first().waitFor();
    const body = { en: "", es: "", pt: "" };
    await page.route(/\/(?:flex\/v1|status)\//, (route) =>
      route.fulfill({
        status: 503,
        json: { code: "maintenance", message: body, requestId: "7KQF2M9XT4", retryAfter: 3600 },
      }),
    );
    await returnTo(page);
    const notice = page.getByText("We're doing maintenance until", { exact: false });
    await notice.waitFor();
    await page.getByText("Looking for blocks").first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.unroute(/\/(?:flex\/v1|status)\//);
    const caughtUp = page.waitForResponse(
      (response) => response.url().endsWith("/earnings") && response.ok(),
    );
    await returnTo(page);
    await notice.waitFor({ state: "detached" });
    await caughtUp;
    await context.close();
  });
});

describe("a page that nobody looks at", () => {
  it("counts captures on the app's icon until the driver opens it", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openDashboard(harness, actor);
    await page.evaluate(() => {
      const badges: number[] = [];
      Object.assign(window, { badges });
      // This browser has no icon to put a badge on.
      Object.assign(navigator, {
        setAppBadge: async (count: number) => void badges.push(count),
        clearAppBadge: async () => void badges.push(0),
      });
    });
    const look = (state: string) =>
      page.evaluate((visibilityState) => {
        Object.defineProperty(document, "visibilityState", { value: visibilityState, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    const badges = () => page.evaluate(() => Reflect.get(window, "badges"));
    await page.waitForFunction(() =>
      performance.getEntriesByType("resource").some(({ name }) => name.includes("/lifecycle-")),
    );
    await look("hidden");
    for (const [index, payCents] of [9_000, 9_500].entries()) {
      await publishOffer(harness, actor.warehouseIds[0]!, { inMinutes: 180 + index * 300, payCents });
      await expect.poll(async () => (await badges()).at(-1)).toBe(index + 1);
    }
    await look("visible");
    expect((await badges()).at(-1)).toBe(0);
    await context.close();
  });
});

describe("on a device that has no room left", () => {
  it("every screen opens that the network brings, though nothing can be cached", async () => {
    const { page, context } = await openApp(harness, await createActiveDriver(harness));
    // As after a release whose files found no room.
    await page.evaluate(async () => {
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) await cache.delete(request);
      }
    });
    const session = await context.newCDPSession(page);
    await session.send("Storage.overrideQuotaForOrigin", { origin: harness.app.origin, quotaSize: 1 });
    await page.reload();
    await page.getByText("Looking for blocks").first().waitFor();
    await page.getByRole("link", { name: "Filters" }).first().click();
    await page.getByText("Your filters are complete.").waitFor();
    const stored = await page.evaluate(async () => {
      const counts = (await caches.keys()).map(
        async (name) => (await (await caches.open(name)).keys()).length,
      );
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    });
    expect(stored).toBe(0);
    await context.close();
  });
});

describe("without a connection", () => {
  it("the dashboard opens with the last known data, marked as stale, and reconnects automatically", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openApp(harness, actor);
    await context.clock.install();
    await page.reload();
    await page.getByText("Looking for blocks").first().waitFor();
    await publishOffer(harness, actor.warehouseIds[0]!, { payCents: 10_150 });
    await page.getByTestId("next-block").getByText("$101.50").first().waitFor();
    const isKept = async () =>
      (await keptOf(page)).length === 2 &&
      page.evaluate(() => Object.values(localStorage).some((kept) => String(kept).includes("10150")));
    await advanceUntil(page, isKept);

    await context.setOffline(true);
    await page.reload();
    await page.getByText("You're offline.", { exact: false }).waitFor();
    await page.getByTestId("next-block").getByText("$101.50").first().waitFor();
    await page.getByText("Last updated", { exact: false }).waitFor();
    await page.getByText("Last known: Looking for blocks").waitFor();
    expect(await page.getByTestId("system-switch").getAttribute("data-light")).toBe("offline");
    const isDisabled = () => page.getByTestId("system-switch").isDisabled();
    expect(await isDisabled()).toBe(true);
    expect(await findViolations(page)).toEqual([]);

    await context.setOffline(false);
    await advanceUntil(page, async () => !(await isDisabled()));
    await expect.poll(() => page.getByText("You're offline.", { exact: false }).count()).toBe(0);
    await page.getByText("Looking for blocks").first().waitFor();
    await context.close();
  });

  it("a screen that was never opened opens as far as it can, and is whole once the connection is", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openApp(harness, actor);
    await context.setOffline(true);
    // Every screen's code is on the device; what the driver never saw is not.
    // The dashboard says that it is offline too, and stays in the page, hidden, while another screen waits.
    const notice = page.getByRole("main").getByRole("alert").getByText("You're offline", { exact: true });
    await page.getByRole("navigation").getByRole("link", { name: "Filters" }).click();
    await page.getByRole("heading", { level: 1, name: "Filters" }).waitFor();
    await notice.first().waitFor();
    expect(await page.getByText("Something went wrong").count()).toBe(0);
    await page.getByRole("navigation").getByRole("link", { name: "My blocks" }).click();
    await page.getByRole("heading", { level: 1, name: "My blocks" }).waitFor();
    await notice.first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await context.setOffline(false);
    await page.getByRole("heading", { level: 1, name: "My blocks" }).waitFor();
    await page.getByText("No blocks yet").waitFor();
    const openFromMenu = async (name: string) => {
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("dialog").getByRole("link", { name }).click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
    };
    const FROM_MENU = ["Payments", "Rewards", "Invitations"];
    for (const name of FROM_MENU) {
      await openFromMenu(name);
      await page.getByRole("main").locator("[data-skeleton]").first().waitFor({ state: "detached" });
    }
    await page.getByRole("link", { name: "Filters" }).first().click();
    await page.getByTestId("warehouse-card").first().waitFor();

    // Each screen marks data seen before as old.
    const isOld = () => page.getByText("You're offline. What you see is from", { exact: false });
    await context.setOffline(true);
    await isOld().waitFor();
    for (const name of FROM_MENU) {
      await openFromMenu(name);
      await isOld().waitFor();
    }
    await page.getByRole("navigation").getByRole("link", { name: "My blocks" }).click();
    await page.getByText("No blocks yet").waitFor();
    await isOld().waitFor();
    await context.setOffline(false);
    await expect.poll(() => isOld().count()).toBe(0);

    // Another list's data isn't on the device.
    await context.setOffline(true);
    await page.getByRole("link", { name: "Missed" }).click();
    await page.getByRole("alert").getByText("You're offline").waitFor();
    await context.setOffline(false);
    await page.getByText("Nothing missed").waitFor();
    await context.close();
  });

  it("the page is read in another language, too", async () => {
    const { page, context } = await openApp(harness, await createActiveDriver(harness), DESK);
    await context.setOffline(true);
    await page.getByRole("button", { name: "ES, Español" }).locator("visible=true").click();
    await page.locator('html[lang="es"]').waitFor();
    await page.getByText("No tienes conexión", { exact: false }).first().waitFor();
    await context.close();
  });

  it("a visitor who has been here sees every public page, in their language", async () => {
    const context = await harness.browser.newContext({
      viewport: { width: 390, height: 844 },
      locale: "pt-BR",
    });
    const page = await context.newPage();
    await page.goto(`${harness.app.origin}/faqs`);
    await bringToLife(page);
    await settleApp(page);
    await context.setOffline(true);
    for (const [path, title] of [
      ["/faqs", "Como o Jornada funciona?"],
      ["/contact", "Fale com a gente"],
      ["/terms", "Termos de serviço"],
      ["/", "Para entregadores"],
    ] as const) {
      await page.goto(`${harness.app.origin}${path}`);
      await page.getByRole("main").getByText(title).first().waitFor();
      expect(await page.getByRole("navigation", { name: "Menu principal" }).count()).toBe(0);
      expect([path, await findViolations(page)]).toEqual([path, []]);
    }
    // Data that only the network has says so.
    await page.locator("#pricing").getByText("Você está offline.").waitFor();
    await context.close();
  });

  it("no price and no platform's health is shown of which nobody knows how long ago it held", async () => {
    const now = Date.now();
    await harness.app.sql(
      `INSERT INTO city_days (day, city, time_zone, state, since, shared, counted_at, working_ms) VALUES (?, 'Boston', 'UTC', 'working', ?, '[]', ?, ?)`,
      Math.floor(now / DAY_MS),
      now,
      now,
      HOUR_MS,
    );
    await harness.app.sql(
      `INSERT INTO spots (driver_id, city, status, since, check_at) VALUES ('of Boston', 'Boston', 'held', 1, ?)`,
      now + DAY_MS,
    );
    const context = await harness.browser.newContext(DESK);
    const page = await context.newPage();
    const main = page.getByRole("main");
    const prices = main.getByText(/\$34\.99|\d a day/);
    const open = (path: string) => page.goto(`${harness.app.origin}${path}`);
    await open("/faqs");
    await bringToLife(page);
    await settleApp(page);
    await open("/");
    expect(await prices.count()).toBe(6);
    await open("/health");
    await main.getByText("Working").first().waitFor();
    await context.setOffline(true);
    await open("/");
    expect(await prices.count()).toBe(0);
    await bringToLife(page);
    await page.locator("#pricing").getByText("You're offline.").waitFor();
    await main.getByRole("link", { name: "Pricing" }).waitFor();
    expect(await prices.count()).toBe(0);
    await open("/health");
    await main.getByText("You're offline").waitFor();
    expect(await main.getByText("Working").count()).toBe(0);
    await context.setOffline(false);
    await main.getByText("Working").first().waitFor();
    await context.close();
  });

  it("nothing is left of a driver who signed out", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openApp(harness, actor, DESK);
    await page.evaluate(() => dispatchEvent(new Event("pagehide")));
    await expect.poll(() => keptOf(page)).toHaveLength(2);
    await page.getByRole("button", { name: "Sign out" }).first().click();
    await page.waitForURL((url) => url.pathname === "/");
    await expect.poll(() => keptOf(page)).toEqual([]);
    await context.setOffline(true);
    await page.goto(`${harness.app.origin}/flex/dashboard`);
    await page.waitForURL("**/login**");
    expect(await page.getByText("$").count()).toBe(0);
    await context.close();
  });
});

describeNotificationSettings(open);
describePush(open);
