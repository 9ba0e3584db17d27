import { CognitoUser } from "amazon-cognito-identity-js";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findViolations } from "../../support/accessibility.ts";
import { formAlive, openAccountHarness, signUp, type AccountHarness } from "../account-harness.ts";
import { PHONE } from "../profile-harness.ts";

/** An origin of its own, so that the page's policy decides whether the script may be loaded. */
const CHALLENGES = "http://challenges.localhost";

let harness: AccountHarness;
beforeAll(async () => {
  harness = await openAccountHarness({
    TURNSTILE_URL: `${CHALLENGES}/sandbox`,
    TURNSTILE_SITE_KEY: "1x0",
    TURNSTILE_SECRET_KEY: "2x0",
    // Half of it for one network.
    TEXTS_TO_PROVED_NUMBERS: "4/40",
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

it("asks for the challenge before another code once a limit of the deployment is reached", async () => {
  const phone = "+15550100177";
  const { context, page } = await harness.openPhone("/login");
  await serveChallenges(context);
  await page.goto(`${harness.app.origin}/register`);
  await page.getByLabel("I am a person (sandbox)").waitFor();
  await signUp(page, "Rui", phone);
  await page.getByLabel("I am a person (sandbox)").check();
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByLabel("Confirmation code").waitFor();
  await page.getByLabel("Confirmation code").fill(await harness.codeFor(phone));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/flex/**");
  await context.close();

  const user = new CognitoUser({ Username: phone, Pool: harness.pool });
  await new Promise((resolve, reject) => {
    user.forgotPassword({ onSuccess: resolve, onFailure: reject });
  });

  await harness.passResendGap();
  const spanish = await harness.browser.newContext({ ...PHONE, locale: "es-US" });
  await serveChallenges(spanish);
  const resending = await spanish.newPage();
  await resending.goto(`${harness.app.origin}/forgot-password`);
  await formAlive(resending);
  await resending.locator('input[autocomplete="username"]').fill(phone);
  await resending.keyboard.press("Enter");
  const again = resending.getByRole("button", { name: "Reenviar código" });
  await again.waitFor();
  const box = resending.getByLabel("I am a person (sandbox)");
  // Below the limit nobody is asked.
  expect(await box.count()).toBe(0);
  await harness.passResendGap();
  await again.click();
  await resending.getByText("Completa la verificación de arriba para recibir un código.").waitFor();
  await box.waitFor();
  expect(await findViolations(resending)).toEqual([]);
  await again.click();
  await resending.getByText("Completa primero la verificación de arriba.").waitFor();
  await box.check();
  await again.click();
  await resending.getByText("Código reenviado.").first().waitFor();
  await spanish.close();

  await harness.passResendGap();
  const portuguese = await harness.browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: "dark",
    locale: "pt-BR",
  });
  await serveChallenges(portuguese);
  const asking = await portuguese.newPage();
  await asking.goto(`${harness.app.origin}/forgot-password`);
  await formAlive(asking);
  await asking.locator('input[autocomplete="username"]').fill(phone);
  await asking.keyboard.press("Enter");
  await asking.getByText("Conclua a verificação acima para receber um código.").first().waitFor();
  await asking.getByLabel("I am a person (sandbox)").check();
  expect(await findViolations(asking)).toEqual([]);
  await asking.getByRole("button", { name: "Enviar código" }).click();
  const code = asking.locator('input[autocomplete="one-time-code"]');
  await code.waitFor();
  await code.fill(await harness.codeFor(phone));
  for (const field of await asking.locator('input[autocomplete="new-password"]').all())
    await field.fill("Own-3-password");
  await asking.keyboard.press("Enter");
  await asking.waitForURL("**/flex/**");
  await portuguese.close();
});
