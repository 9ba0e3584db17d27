import type { BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { openDashboard, type ActiveDriver, type E2eHarness } from "../harness.ts";

/** The dashboard with an active service worker that has cached the page. */
export async function openApp(
  harness: E2eHarness,
  actor: ActiveDriver,
  look = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const { page, context } = await openDashboard(harness, actor, { serviceWorkers: "allow", ...look });
  await settleApp(page);
  return { page, context };
}

/** Waits until the service worker controls the page and has its files. */
export async function settleApp(page: Page): Promise<void> {
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
