import type { BrowserContext } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findViolations } from "../../support/accessibility.ts";
import { createPushSubscriber } from "../../support/push-subscriber.ts";
import { createActiveDriver, DESK, publishOffer, type ActiveDriver, type OpenHarness } from "../harness.ts";
import { openApp, settleApp } from "./app-harness.ts";

const ALLOWED = { permissions: ["notifications"] };

/** The driver's notifications and their channels. */
export function describeNotificationSettings(open: OpenHarness): void {
  describe("the notification settings", () => {
    const openSettings = async (actor: ActiveDriver, look = {}) => {
      const { page, context } = await openApp(open(), actor, look);
      await page.goto(`${open().app.origin}/flex/profile`);
      await page.getByTestId("notifications").waitFor();
      // By keyboard: what loads above may move it between press and release.
      await page.locator("summary", { hasText: "When we notify you" }).press("Enter");
      return { page, context };
    };
    const saved = (actor: ActiveDriver) => actor.client.fetchJson("GET", "/flex/v1/user/notifications");

    it("save each change at once and keep it after a reload", async () => {
      const actor = await createActiveDriver(open());
      const { page, context } = await openSettings(actor);
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
      // By keyboard: what loads above may move it between press and release.
      await page.locator("summary", { hasText: "When we notify you" }).press("Enter");
      expect(await page.getByLabel("From").inputValue()).toBe("1395");
      expect(await findViolations(page)).toEqual([]);
      await context.close();
    });

    it("leave the profile short enough for a phone until a driver opens them", async () => {
      const actor = await createActiveDriver(open());
      const { page, context } = await openApp(open(), actor);
      await page.setViewportSize({ width: 375, height: 812 });
      await page.goto(`${open().app.origin}/flex/profile`);
      await page.getByTestId("texts").waitFor();
      await page.locator("[data-skeleton]").first().waitFor({ state: "detached" });
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      expect(height).toBeLessThanOrEqual(3_000);
      expect(await page.getByRole("switch", { name: "Block captured: Text" }).count()).toBe(0);
      await context.close();
    });

    it("revert a change that could not be saved, and say so", async () => {
      const actor = await createActiveDriver(open());
      const { page, context } = await openSettings(actor);
      await page.route("**/flex/v1/user/notifications?*", (route) =>
        route.request().method() === "PUT" ? route.abort() : route.continue(),
      );
      const toggle = page.getByRole("switch", { name: "Block captured: Text" });
      await toggle.click();
      await page.getByText("We couldn't save that").waitFor();
      await expect.poll(() => toggle.getAttribute("aria-checked")).toBe("true");
      await context.close();
    });

    it("explain how to unblock notifications", async () => {
      const actor = await createActiveDriver(open());
      const { page, context } = await openSettings(actor);
      await page.evaluate(() => {
        Notification.requestPermission = () => Promise.resolve("denied");
      });
      await page.getByRole("button", { name: "Turn on notifications" }).click();
      await page.getByText("You blocked notifications for this page.", { exact: false }).waitFor();
      expect(await page.getByRole("button", { name: "Turn on notifications" }).count()).toBe(0);
      await context.close();
    });

    it("show an error if the browser's push service can't be reached", async () => {
      const actor = await createActiveDriver(open());
      const { page, context } = await openSettings(actor, ALLOWED);
      await page.getByRole("button", { name: "Turn on notifications" }).click();
      await page
        .getByText("We couldn't reach your browser's notification service.", { exact: false })
        .waitFor();
      expect(await page.getByTestId("push").getAttribute("data-state")).toBe("off");
      await context.close();
    });
  });
}

/** Notifications of the browser, which its service worker shows. */
export function describePush(open: OpenHarness): void {
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
      const answer = await fetch(`${open().app.origin}/sandbox/push`);
      const { messages } = (await answer.json()) as { messages: { endpoint: string; body: string }[] };
      return messages.filter((message) => message.endpoint === endpoint);
    };

    it("are offered only after a capture, announce the next one, and open its screen on a tap", async () => {
      const actor = await createActiveDriver(open());
      const { page, context } = await openApp(open(), actor, ALLOWED);
      const listener = await listenIn(context);
      await page.reload();
      await page.getByText("Looking for blocks").first().waitFor();
      const offer = page.getByTestId("push-prompt");
      expect(await offer.count()).toBe(0);
      await publishOffer(open(), actor.warehouseIds[0]!, { inMinutes: 120, minutes: 60 });
      await offer.getByText("Get notified on this phone").waitFor();
      expect(await findViolations(page, { within: "[data-testid=push-prompt]" })).toEqual([]);
      await offer.getByRole("button", { name: "Turn on" }).click();
      await offer.getByText("Push notifications are on", { exact: false }).waitFor();
      await offer.getByRole("button", { name: "Close" }).click();

      await publishOffer(open(), actor.warehouseIds[0]!, { inMinutes: 300, minutes: 60, payCents: 7_650 });
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
        // It makes a sound also where it takes another's place.
        options: { body: expect.stringContaining("$76.50"), data: { url: "/flex/blocks" }, renotify: true },
      });
      await worker?.evaluate(tap);
      await page.waitForURL("**/flex/blocks**");
      await context.close();
    });

    it("end when the driver signs out", async () => {
      const actor = await createActiveDriver(open());
      const { page, context } = await openApp(open(), actor, ALLOWED);
      await listenIn(context);
      await page.goto(`${open().app.origin}/flex/profile`);
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
}

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
