import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openAccountHarness, signUp, type AccountHarness } from "./account-harness.ts";

/** An origin of its own, so that the page's policy decides whether the script may be loaded. */
const CHALLENGES = "http://challenges.localhost";

let harness: AccountHarness;
beforeAll(async () => {
  harness = await openAccountHarness({
    TURNSTILE_URL: `${CHALLENGES}/sandbox`,
    TURNSTILE_SITE_KEY: "1x0",
    TURNSTILE_SECRET_KEY: "2x0",
  });
});
afterAll(() => harness.close());

/** Serves the challenge's origin from the sandbox. */
async function serveChallenges(context: BrowserContext): Promise<void> {
  await context.route(`${CHALLENGES}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: `${harness.app.origin}${pathname}` }) });
  });
}

it("asks for the challenge before registering, and once more after a refusal", async () => {
  const { context, page } = await harness.openPhone("/login");
  await serveChallenges(context);
  await page.goto(`${harness.app.origin}/register`);
  const box = page.getByLabel("I am a person (sandbox)");
  await box.waitFor();
  await signUp(page, "Rui", "+18765550123");
  await page.getByText("Complete the check above first.").first().waitFor();
  await box.check();
  const create = page.getByRole("button", { name: "Create account" });
  await create.click();
  await page.getByText("We can't text this number.").first().waitFor();
  expect(await box.isChecked()).toBe(false);
  await page.getByLabel("Phone number").fill("+15550100163");
  await box.check();
  await create.click();
  await page.getByLabel("Confirmation code").waitFor();
  await context.close();
});

it("shows the challenge on a form that was reached from a page whose policy has nothing of it", async () => {
  const { context, page } = await harness.openPhone("/");
  await serveChallenges(context);
  expect((await fetch(harness.app.origin)).headers.get("content-security-policy")).not.toContain(CHALLENGES);
  await page.evaluate(() => Reflect.set(window, "isSamePage", true));
  await page.locator('a[href="/register"]').first().click();
  await page.waitForURL(/\/register/);
  await page.getByLabel("I am a person (sandbox)").waitFor();
  expect(await page.evaluate(() => Reflect.get(window, "isSamePage"))).toBeUndefined();
  await context.close();
});
