import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  openAccountHarness,
  signUp,
  submitCode,
  waitUntilSignedIn,
  type AccountHarness,
} from "../account-harness.ts";
import { bringToLife } from "../shell-harness.ts";

let harness: AccountHarness;
beforeAll(async () => {
  harness = await openAccountHarness();
});
afterAll(() => harness.close());

/** A browser that blocks a site's data throws at each access. */
function forbidStorage(): void {
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, name, {
      get: () => {
        throw new DOMException("Access is denied for this document.", "SecurityError");
      },
    });
}

/** An app that shows the page in a view without storage has null in its place. */
function haveNoStorage(): void {
  for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { value: null });
}

/** A device that is full throws where anything is to be stored. */
function haveNoRoom(): void {
  Storage.prototype.setItem = () => {
    throw new DOMException("There is no space left.", "QuotaExceededError");
  };
}

const DEVICES = [
  ["blocks storage", forbidStorage, "+15550100171"],
  ["has no storage", haveNoStorage, "+15550100172"],
  ["has no room", haveNoRoom, "+15550100173"],
] as const;

async function openWithout(prepare: () => void): Promise<{ page: Page; errors: string[] }> {
  const context = await harness.browser.newContext({ locale: "en-US", serviceWorkers: "block" });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.addInitScript(prepare);
  return { page, errors };
}

it.each(DEVICES)(
  "registers, signs in and says how long that lasts, where the browser %s",
  async (...device) => {
    const [, prepare, phone] = device;
    const { page, errors } = await openWithout(prepare);
    await page.goto(`${harness.app.origin}/register`);
    await signUp(page, "Ana", phone.slice(2));
    await page.getByLabel("Confirmation code").waitFor();
    await submitCode(page, await harness.codeFor(phone));
    await waitUntilSignedIn(page);
    await page.getByRole("heading", { level: 1 }).waitFor();
    // A page that is loaded anew has forgotten the session, as its form says.
    await page.reload();
    await page.waitForURL(/\/login/);
    await page.getByText("Your browser can't store anything for this site").waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  },
);

it.each(DEVICES)(
  "shows the pages for everybody and the links of texts, where the browser %s",
  async (...device) => {
    const [, prepare] = device;
    const { page, errors } = await openWithout(prepare);
    for (const path of ["/", "/terms", "/faqs", "/contact", "/health"]) {
      await page.goto(`${harness.app.origin}${path}`);
      await bringToLife(page);
      expect(await page.getByText("Something went wrong").count()).toBe(0);
    }
    await page.goto(`${harness.app.origin}/q#short`);
    await page.getByRole("alert").waitFor();
    expect(await page.getByText("Something went wrong").count()).toBe(0);
    expect(errors).toEqual([]);
    await page.context().close();
  },
);
