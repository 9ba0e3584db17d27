import { randomInt } from "node:crypto";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findViolations } from "../support/accessibility.ts";
import { lastText } from "../support/identity.ts";
import { platformWorld, postJson } from "../support/sandbox-client.ts";
import { PASSWORD, waitUntilSignedIn } from "./account-harness.ts";
import { publishOffer } from "./harness.ts";
import { CARD_FRAME, CARDS, openPaymentsHarness, type PaymentsHarness } from "./payments-harness.ts";

const WEEK_MS = 7 * 86_400_000;
const PHONE = { viewport: { width: 390, height: 844 }, locale: "en-US", serviceWorkers: "block" } as const;

let harness: PaymentsHarness;
beforeAll(async () => {
  harness = await openPaymentsHarness({ IDENTITY: "embedded" });
});
afterAll(() => harness.close());

/** Counts as a hand does: each tap, and each field that is tapped to be typed into. */
function createHand() {
  const count = { taps: 0, fields: 0 };
  const tap = async (target: Locator) => {
    count.taps += 1;
    await target.click();
  };
  const type = async (field: Locator, text: string) => {
    count.fields += 1;
    await field.waitFor();
    if (!(await field.evaluate((element) => element === document.activeElement))) await tap(field);
    await field.fill(text);
  };
  return { count, tap, type };
}

/** Minutes until a time near the middle of a day at the warehouse, which the schedule of a new driver covers. */
function minutesToNoon(): number {
  const format = new Intl.DateTimeFormat("en-US", {
    hour: "numeric",
    hourCycle: "h23",
    timeZone: "America/New_York",
  });
  const hour = Number(format.format(Date.now()));
  return (hour === 11 || hour === 12 ? 3 : (36 - hour) % 24) * 60;
}

const newPhone = () => `+1555${String(randomInt(1_000_000, 9_999_999))}`;
const textedCode = async (phone: string) =>
  /\d{6}/.exec(await lastText(harness.app.origin, phone))?.[0] ?? "";
const step = (page: Page) =>
  page
    .getByTestId("start-strip")
    .getByText(/^Step \d of 5/)
    .innerText();
const tabs = (page: Page) => page.getByRole("navigation", { name: "Main menu" }).count();

it("takes a newcomer from the first screen to the first block and their earnings, in 18 taps", async () => {
  const outside = { fetch, origin: harness.app.origin };
  await postJson(outside, "/sandbox/world", { reset: true, generate: false, seed: 1 });
  const phone = newPhone();
  const email = `driver-${phone.slice(2)}@example.com`;
  const { count, tap, type } = createHand();
  const context = await harness.browser.newContext(PHONE);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));

  await page.goto(`${harness.app.origin}/`);
  await tap(page.getByRole("main").getByRole("link", { name: "Register now" }).first());
  await type(page.getByLabel("Name", { exact: true }), "Ana");
  await type(page.getByLabel("Phone number"), phone);
  await type(page.getByLabel("Password", { exact: true }), PASSWORD);
  await type(page.getByLabel("Repeat your password"), PASSWORD);
  await tap(page.locator('input[name="terms"]'));
  expect(await step(page)).toBe("Step 1 of 5: Your number.");
  await tap(page.getByRole("button", { name: "Create account" }));
  await page.getByLabel("Confirmation code").waitFor();
  await type(page.getByLabel("Confirmation code"), await textedCode(phone));

  await page.waitForURL("**/flex/login");
  expect({ step: await step(page), tabs: await tabs(page) }).toEqual({ step: "Step 2 of 5: Link.", tabs: 0 });
  await type(page.getByLabel("Email on the platform"), email);
  await page.reload();
  expect(await page.getByLabel("Email on the platform").inputValue()).toBe(email);
  await type(page.getByLabel("Password on the platform", { exact: true }), "right");
  await tap(page.getByRole("button", { name: "Continue" }));
  await page.waitForURL("**/flex/otp");
  await page.reload();
  await page.getByRole("button", { name: /Send a new code in/ }).waitFor();
  const { sessions } = await platformWorld(outside);
  const session = sessions.find((known) => known.email === email);
  await type(page.getByLabel("One-time code"), session?.code ?? "");
  await page.waitForURL("**/flex/confirmation");
  await page.reload();
  await page.getByText("Waiting for your approval").waitFor();
  await postJson(outside, `/sandbox/platform/sessions/${session?.id}/approve`, {});

  await page.waitForURL("**/flex/filters", { timeout: 20_000 });
  const { drivers, warehouses } = await platformWorld(outside);
  const maspeth = warehouses.find(({ name }) => name === "Maspeth (DBK1)");
  if (!maspeth) throw new Error("the platform has no such warehouse");
  await postJson(outside, "/sandbox/platform/blocks", {
    driverId: drivers.find((known) => known.email === email)?.driverId,
    warehouseId: maspeth.warehouseId,
    startsAt: new Date(Date.now() - WEEK_MS).toISOString(),
    minutes: 120,
    payCents: 7_650,
  });
  const card = page
    .getByTestId("warehouse-card")
    .filter({ has: page.getByRole("heading", { name: "Maspeth (DBK1)" }) });
  await tap(card.getByRole("switch"));
  await page.reload();
  expect({ step: await step(page), tabs: await tabs(page) }).toEqual({
    step: "Step 3 of 5: Warehouses.",
    tabs: 0,
  });
  expect(await findViolations(page)).toEqual([]);
  // The replica of the database that is asked after the save lags behind, and the next answer takes its time.
  const seen = Promise.withResolvers<void>();
  let answers = 0;
  await page.route("**/flex/v1/user", async (route) => {
    answers += 1;
    if (answers > 1) {
      await seen.promise;
      await route.fallback();
      return;
    }
    const response = await route.fetch();
    const { Item }: { Item: object } = await response.json();
    await route.fulfill({ response, json: { Item: { ...Item, setupComplete: false } } });
  });
  await tap(page.getByRole("button", { name: "Save", exact: true }));

  await page.waitForURL("**/flex/payments**");
  expect(await step(page)).toBe("Step 4 of 5: Days of service.");
  seen.resolve();
  await page.unroute("**/flex/v1/user");
  await page.getByTestId("total").waitFor();
  await page.reload();
  expect({ step: await step(page), tabs: await tabs(page) }).toEqual({
    step: "Step 4 of 5: Days of service.",
    tabs: 0,
  });
  const cardForm = page.frameLocator(CARD_FRAME);
  await type(cardForm.getByLabel("Card number"), CARDS.good);
  await type(cardForm.getByLabel("Expiration date"), "12/39");
  await type(cardForm.getByLabel("Security code"), "123");
  await type(cardForm.getByLabel("ZIP code"), "10001");
  await tap(page.getByRole("button", { name: /^Pay \$/ }));
  await tap(page.getByRole("button", { name: "Start capturing" }));
  await page.waitForURL("**/flex/dashboard");
  await page.getByTestId("start-strip").getByText("You're all set.").waitFor();
  await page.getByText("Looking for blocks").first().waitFor();
  expect(await tabs(page)).toBe(1);
  expect(count).toEqual({ taps: expect.any(Number), fields: 12 });
  expect(count.taps).toBeLessThanOrEqual(18);

  await publishOffer(harness, maspeth.warehouseId, { inMinutes: minutesToNoon(), payCents: 9_450 });
  await page.getByTestId("next-block").getByText("$94.50").first().waitFor();
  await page.getByTestId("earnings").getByRole("definition").filter({ hasText: "$76.50" }).waitFor();
  // Once the driver has been elsewhere, the strip is gone for good.
  const menu = page.getByRole("navigation", { name: "Main menu" });
  await menu.getByRole("link", { name: "Payments" }).click();
  await page.waitForURL("**/flex/payments**");
  await menu.getByRole("link", { name: "Home" }).click();
  await page.getByTestId("earnings").waitFor();
  expect(await page.getByTestId("start-strip").count()).toBe(0);
  expect(errors).toEqual([]);
  await context.close();
});

it("keeps name and number where a phone drops the page at the code, and never the password", async () => {
  const phone = newPhone();
  const context = await harness.browser.newContext(PHONE);
  // A browser that reads the code out of our text, once its owner agrees.
  await context.addInitScript(() => {
    Object.assign(globalThis, { OTPCredential: () => undefined });
    navigator.credentials.get = () =>
      new Promise((resolve) => {
        Object.assign(globalThis, { agree: (code: string) => resolve({ code } as never) });
      });
  });
  const page = await context.newPage();
  await page.goto(`${harness.app.origin}/register`);
  await page.getByLabel("Name", { exact: true }).fill("Bia");
  await page.getByLabel("Phone number").fill(phone);
  // The form keeps text typed before its code arrived.
  await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain("Bia");
  await page.reload();
  // The form is there before its code, which has what was kept.
  await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("Bia");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Repeat your password").fill(PASSWORD);
  await page.locator('input[name="terms"]').check();
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByLabel("Confirmation code").waitFor();
  await page.getByRole("button", { name: "Resend code", exact: true }).click();
  await page.getByRole("button", { name: /Resend code in \d+ s/ }).waitFor();
  await page.reload();
  await page.getByText(`Enter the code we texted to +1 (${phone.slice(2, 5)})`, { exact: false }).waitFor();
  await page.getByRole("button", { name: /Resend code in \d+ s/ }).waitFor();
  const kept = () => page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
  expect(await kept()).not.toContain(PASSWORD);
  const code = await textedCode(phone);
  await page.evaluate(
    (texted) => (globalThis as unknown as { agree: (code: string) => void }).agree(texted),
    code,
  );
  await expect.poll(() => page.getByLabel("Confirmation code").inputValue()).toBe(code);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await waitUntilSignedIn(page);
  expect(await harness.app.sql(`SELECT name FROM users WHERE phone_number = ?`, phone)).toEqual([
    { name: "Bia" },
  ]);
  expect(await page.evaluate(() => Object.keys(sessionStorage))).not.toContain("jornada.account");
  await context.close();
});
