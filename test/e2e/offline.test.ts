import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findViolations } from "../support/accessibility.ts";
import { createPushSubscriber } from "../support/push-subscriber.ts";
import {
  publishOffer,
  createActiveDriver,
  openDashboard,
  openE2eHarness,
  advanceUntil,
  type ActiveDriver,
  type E2eHarness,
} from "./harness.ts";

let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness();
});
afterAll(() => harness.close());

/** The dashboard with an active service worker that has cached the page. */
async function openApp(actor: ActiveDriver, look = {}): Promise<{ page: Page; context: BrowserContext }> {
  const { page, context } = await openDashboard(harness, actor, { serviceWorkers: "allow", ...look });
  await settleApp(page);
  return { page, context };
}

async function settleApp(page: Page): Promise<void> {
  const isKept = () =>
    page.evaluate(async () => {
      const files = performance
        .getEntriesByType("resource")
        .map(({ name }) => name)
        .filter((name) => name.includes("/assets/"));
      const found = await Promise.all(files.map((name) => caches.match(name)));
      return navigator.serviceWorker.controller !== null && files.length > 0 && found.every(Boolean);
    });
  await expect.poll(isKept).toBe(true);
}

const DESK = { viewport: { width: 1280, height: 900 } };
const ALLOWED = { permissions: ["notifications"] };

/** What the page stores about the driver on the device. */
const keptOf = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((name) => name.startsWith("jornada.last."))
      .toSorted(),
  );

describe("without a connection", () => {
  it("the dashboard opens with the last known data, marked as stale, and reconnects automatically", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openApp(actor);
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
    const { page, context } = await openApp(actor);
    await context.setOffline(true);
    // Every screen's code is on the device; what the driver never saw is not.
    await page.getByRole("navigation").getByRole("link", { name: "Filters" }).click();
    await page.getByRole("main").getByText("You're offline", { exact: true }).first().waitFor();
    expect(await page.getByText("Something went wrong").count()).toBe(0);
    await page.getByRole("navigation").getByRole("link", { name: "My blocks" }).click();
    await page.getByRole("main").getByText("You're offline", { exact: true }).first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await context.setOffline(false);
    await page.getByRole("heading", { level: 1, name: "My blocks" }).waitFor();
    await page.getByText("No blocks yet").waitFor();
    await page.getByRole("link", { name: "Filters" }).first().click();
    await page.getByTestId("warehouse-card").first().waitFor();

    // What was seen is marked as old, on each screen.
    const isOld = () => page.getByText("You're offline. What you see is from", { exact: false });
    await context.setOffline(true);
    await isOld().waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "My blocks" }).click();
    await page.getByText("No blocks yet").waitFor();
    await isOld().waitFor();
    await context.setOffline(false);
    await expect.poll(() => isOld().count()).toBe(0);

    // Another list's data isn't on the device.
    await context.setOffline(true);
    await page.getByRole("link", { name: "Gone" }).click();
    await page.getByRole("alert").getByText("You're offline").waitFor();
    await context.setOffline(false);
    await page.getByText("Nothing missed").waitFor();
    await context.close();
  });

  it("nothing is left of a driver who signed out", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openApp(actor, DESK);
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

describe("the notification settings", () => {
  const open = async (actor: ActiveDriver, look = {}) => {
    const { page, context } = await openApp(actor, look);
    await page.goto(`${harness.app.origin}/flex/profile`);
    await page.getByTestId("notifications").waitFor();
    return { page, context };
  };
  const saved = (actor: ActiveDriver) => actor.client.fetchJson("GET", "/flex/v1/user/notifications");

  it("save each change at once and keep it after a reload", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await open(actor);
    await page.getByRole("switch", { name: "Block captured: Text" }).click();
    await page.clock.install();
    await page.getByRole("switch", { name: "Quiet hours" }).click();
    await page.getByLabel("From").selectOption("1395");
    await page.getByLabel("Until").selectOption("345");
    // Quiet hours are saved after a moment without changes.
    const later = async () => {
      await page.clock.fastForward(1_000);
      return saved(actor);
    };
    await expect.poll(later).toMatchObject({
      captured: { text: false, push: true },
      quietHours: { fromMinute: 23 * 60 + 15, toMinute: 5 * 60 + 45 },
    });
    await page.reload();
    expect(await page.getByLabel("From").inputValue()).toBe("1395");
    expect(await findViolations(page)).toEqual([]);
    await context.close();
  });

  it("revert a change that could not be saved, and say so", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await open(actor);
    await page.route("**/flex/v1/user/notifications", (route) =>
      route.request().method() === "PUT" ? route.abort() : route.continue(),
    );
    const toggle = page.getByRole("switch", { name: "Block captured: Text" });
    await toggle.click();
    await page.getByText("We couldn't save that").waitFor();
    await expect.poll(() => toggle.getAttribute("aria-checked")).toBe("true");
    await context.close();
  });

  it("explain how to unblock notifications", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await open(actor);
    await page.evaluate(() => {
      Notification.requestPermission = () => Promise.resolve("denied");
    });
    await page.getByRole("button", { name: "Turn on notifications" }).click();
    await page.getByText("You blocked notifications for this page.", { exact: false }).waitFor();
    expect(await page.getByRole("button", { name: "Turn on notifications" }).count()).toBe(0);
    await context.close();
  });

  it("show an error if the browser's push service can't be reached", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await open(actor, ALLOWED);
    await page.getByRole("button", { name: "Turn on notifications" }).click();
    await page
      .getByText("We couldn't reach your browser's notification service.", { exact: false })
      .waitFor();
    expect(await page.getByTestId("push").getAttribute("data-state")).toBe("off");
    await context.close();
  });
});

describe("push notifications", () => {
  /** Fakes the browser's push subscription, which would need a push service on the internet. */
  async function listenIn(context: BrowserContext) {
    const listener = await createPushSubscriber(`https://push.sandbox.test/send/${crypto.randomUUID()}`);
    await context.addInitScript(({ endpoint, keys }) => {
      const kept = () => sessionStorage.getItem("stub.push") !== null;
      const subscription = {
        endpoint,
        options: { applicationServerKey: null },
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: () => {
          sessionStorage.removeItem("stub.push");
          return Promise.resolve(true);
        },
      } as unknown as PushSubscription;
      PushManager.prototype.subscribe = () => {
        sessionStorage.setItem("stub.push", "on");
        return Promise.resolve(subscription);
      };
      PushManager.prototype.getSubscription = () => Promise.resolve(kept() ? subscription : null);
    }, listener.subscription);
    return listener;
  }

  const arrivals = async (endpoint: string): Promise<{ body: string }[]> => {
    const answer = await fetch(`${harness.app.origin}/sandbox/push`);
    const { messages } = (await answer.json()) as { messages: { endpoint: string; body: string }[] };
    return messages.filter((message) => message.endpoint === endpoint);
  };

  it("are offered only after a capture, announce the next one, and open its screen on a tap", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openApp(actor, ALLOWED);
    const listener = await listenIn(context);
    await page.reload();
    await page.getByText("Looking for blocks").first().waitFor();
    const offer = page.getByTestId("push-prompt");
    expect(await offer.count()).toBe(0);
    await publishOffer(harness, actor.warehouseIds[0]!, { inMinutes: 120, minutes: 60 });
    await offer.getByText("Get notified on this phone").waitFor();
    expect(await findViolations(page, { within: "[data-testid=push-prompt]" })).toEqual([]);
    await offer.getByRole("button", { name: "Turn on" }).click();
    await offer.getByText("Push notifications are on", { exact: false }).waitFor();
    await offer.getByRole("button", { name: "Close" }).click();

    await publishOffer(harness, actor.warehouseIds[0]!, { inMinutes: 300, minutes: 60, payCents: 7_650 });
    const { endpoint } = listener.subscription;
    await expect.poll(async () => (await arrivals(endpoint)).length).toBe(1);
    const [message] = await arrivals(endpoint);
    const data = await listener.open(message?.body ?? "");
    expect(data).toMatchObject({ title: "Block captured!", body: expect.stringContaining("$76.50") });

    const [worker] = context.serviceWorkers();
    await worker?.evaluate(pushTo, data);
    const shown = () => worker?.evaluate(() => (self as unknown as { shown?: unknown }).shown);
    await expect.poll(shown).toMatchObject({
      title: "Block captured!",
      options: { body: expect.stringContaining("$76.50"), data: { url: "/flex/blocks" } },
    });
    await worker?.evaluate(tap);
    await page.waitForURL("**/flex/blocks**");
    await context.close();
  });

  it("end when the driver signs out", async () => {
    const actor = await createActiveDriver(harness);
    const { page, context } = await openApp(actor, ALLOWED);
    await listenIn(context);
    await page.goto(`${harness.app.origin}/flex/profile`);
    await page.getByRole("button", { name: "Turn on notifications" }).click();
    await page.getByRole("button", { name: "Turn off on this device" }).waitFor();
    await settleApp(page);
    await page.setViewportSize(DESK.viewport);
    await page.getByRole("button", { name: "Sign out" }).first().click();
    const isListening = () => page.evaluate(() => sessionStorage.getItem("stub.push"));
    await expect.poll(isListening).toBe(null);
    await context.close();
  });
});

/**
 * Runs in the service worker and does what push service and browser would do. This Chromium can't show
 * notifications, so they are recorded.
 */
function pushTo(data: unknown): void {
  const worker = self as unknown as { registration: ServiceWorkerRegistration; shown?: unknown };
  worker.registration.showNotification = (title, options) => {
    worker.shown = { title, options };
    return Promise.resolve();
  };
  dispatchEvent(Object.assign(new Event("push"), { data: { json: () => data }, waitUntil: () => undefined }));
}

/** Runs in the service worker: a tap on the notification. */
function tap(): void {
  const { options } = (self as unknown as { shown: { options: { data: unknown } } }).shown;
  const notification = { data: options.data, close: () => undefined };
  dispatchEvent(Object.assign(new Event("notificationclick"), { notification, waitUntil: () => undefined }));
}
