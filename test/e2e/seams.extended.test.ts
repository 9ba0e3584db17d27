import { readFileSync } from "node:fs";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { LANGUAGES, type Language } from "../../db/shapes/language.ts";
import type { WarehouseId } from "../../db/shapes/units.ts";
import type { BlocksResponse } from "../../worker/contract/work/blocks.ts";
import { DriverClient } from "../support/driver-client.ts";
import { signInBySrp } from "../support/identity.ts";
import { payByCard } from "../support/pay-by-card.ts";
import {
  linkPlatformAccount,
  permissiveFilters,
  permissiveWarehouseFilter,
  postJson,
} from "../support/sandbox-client.ts";
import { poolSession } from "../support/stored-session.ts";
import { formAlive, openAccountHarness, PASSWORD, signIn, type AccountHarness } from "./account-harness.ts";
import { publishOffer } from "./harness.ts";
import { looksOfRun } from "./looks.ts";

const CITY = "New York City";
const LOCALES = { en: "en-US", es: "es-MX", pt: "pt-BR" } as const satisfies Record<Language, string>;

/** The card form's frame, as Stripe names it. */
const FRAMES = {
  en: "Secure payment input frame",
  es: "Marco de entrada de pago seguro",
  pt: "Quadro seguro de entrada do pagamento",
} as const satisfies Record<Language, string>;

let harness: AccountHarness;
beforeAll(async () => {
  harness = await openAccountHarness();
  await postJson(outside(), "/sandbox/stripe/endpoint", {
    url: `${harness.app.origin}/webhooks/stripe`,
    secret: "whsec_sandbox",
  });
});
afterAll(() => harness.close());
// Without the accounts of the story before, whose drivers would take this one's offers.
beforeEach(() => postJson(outside(), "/sandbox/world", { reset: true, generate: false, seed: 1 }));

const outside = () => ({ fetch, origin: harness.app.origin });

/** The words of a language's screens. */
function wordsIn(language: Language): (key: string) => string {
  const words = JSON.parse(readFileSync(`locales/${language}.json`, "utf8")) as Record<string, unknown>;
  return (key) => String(words[key]);
}

async function textsTo(phoneNumber: string): Promise<string[]> {
  const response = await fetch(`${harness.app.origin}/sandbox/sms?to=${encodeURIComponent(phoneNumber)}`);
  const { messages } = (await response.json()) as { messages: { body: string }[] };
  return messages.map(({ body }) => body);
}

type Person = { phoneNumber: string; email: string; client: DriverClient };

/** A driver who registered, has a record and an account of the platform. */
async function join(phoneNumber: string): Promise<Person> {
  const account = { phoneNumber, password: PASSWORD, name: "Ana" };
  await harness.register(account);
  const { idToken } = await poolSession(harness.app.origin, account);
  const client = new DriverClient({ ...outside(), token: idToken });
  await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber });
  const email = `driver-${phoneNumber.slice(-7)}@example.com`;
  await linkPlatformAccount({ ...outside(), client }, email);
  return { phoneNumber, email, client };
}

/** The driver who is signed in on a page, by the same session. */
async function clientOf(page: Page): Promise<DriverClient> {
  const token = await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.endsWith(".idToken")) ?? "";
    return localStorage.getItem(key) ?? "";
  });
  return new DriverClient({ ...outside(), token });
}

async function saveFilters(client: DriverClient): Promise<WarehouseId> {
  const { warehouses } = await client.warehouses();
  const [first] = warehouses;
  if (!first) throw new Error("the platform has no warehouse");
  await client.saveFilters(permissiveFilters([permissiveWarehouseFilter(first.warehouseId)]));
  return first.warehouseId;
}

async function openPhone(locale: string): Promise<{ page: Page; context: BrowserContext; errors: string[] }> {
  const viewport = { width: 390, height: 844 };
  const context = await harness.browser.newContext({ viewport, locale, serviceWorkers: "block" });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  return { page, context, errors };
}

it.each(looksOfRun(LANGUAGES.map((language, index) => [language, index] as const)))(
  "leads a friend from an invitation by a detour, a full city and the trial to the first payment: %s",
  async (language, index) => {
    const say = wordsIn(language);
    const { app } = harness;
    await app.sql(`DELETE FROM city_spots`);
    const inviter = await join(`+155501002${index}0`);
    await app.sql(
      `INSERT INTO point_entries (source, driver_id, points, at) SELECT 'test:' || id, id, 150, 1 FROM users WHERE phone_number = ?`,
      inviter.phoneNumber,
    );
    const friendPhone = `55501002${index}1`;
    const given = await inviter.client.call("POST", "/flex/v1/rewards/redeem", {
      body: { reward: "friend_invitation", phoneNumber: friendPhone, idempotencyKey: crypto.randomUUID() },
    });
    expect(given.status).toBe(200);
    // The city is full: one spot, which somebody has.
    await app.sql(`DELETE FROM spots`);
    await app.sql(`INSERT INTO city_spots (city, spots) VALUES (?, 1)`, CITY);
    const holder = await join(`+155501002${index}2`);

    const [text = ""] = await textsTo(`+1${friendPhone}`);
    const { page, context, errors } = await openPhone(LOCALES[language]);
    const link = new URL(/https?:\S+/.exec(text)?.[0] ?? "");
    await page.goto(`${app.origin}${link.pathname}${link.search}`);
    await formAlive(page);
    await page.getByRole("main").locator('a[href^="/login"]').click();
    await page.waitForURL("**/login*");
    await page.getByRole("main").locator('a[href^="/register"]').click();
    await page.getByTestId("invited-by").getByText("Ana").waitFor();
    await formAlive(page);
    await page.locator('input[name="name"]').fill("Bea");
    await page.locator('input[type="tel"]').fill(friendPhone);
    await page.locator('input[name="new-password"]').fill(PASSWORD);
    await page.locator('input[name="repeat-password"]').fill(PASSWORD);
    await page.locator('input[name="terms"]').check();
    await page.getByRole("button", { name: say("register_button") }).click();
    await page.locator('input[name="code"]').waitFor();
    await page.locator('input[name="code"]').fill(await harness.codeFor(`+1${friendPhone}`));
    await page.waitForURL("**/flex/login");

    const friend = await clientOf(page);
    await linkPlatformAccount({ ...outside(), client: friend }, `friend-${index}@example.com`);
    await saveFilters(friend);
    await page.goto(`${app.origin}/flex/payments`);
    await page.getByTestId("place-in-line").getByText("1", { exact: true }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe(language);
    expect((await holder.client.call("DELETE", "/flex/v1/user")).status).toBe(204);
    await app.runCron("* * * * *");
    await page
      .getByTestId("spot")
      .getByRole("button", { name: say("spot_take") })
      .click();
    await page.getByTestId("total").waitFor();

    const creditsOf = (phoneNumber: string) =>
      app.sql(
        `SELECT substr(source, 1, instr(source, ':') - 1) AS kind, duration_ms / 86400000 AS days FROM service_credits
          JOIN users ON users.id = driver_id WHERE phone_number = ? ORDER BY at, service_credits.rowid`,
        phoneNumber,
      );
    expect(await creditsOf(`+1${friendPhone}`)).toEqual([]);
    await page.goto(`${app.origin}/flex/dashboard`);
    await page.getByTestId("system-switch").click();
    await page.locator('[role="switch"][aria-checked="true"]').first().waitFor();
    await expect.poll(() => creditsOf(`+1${friendPhone}`)).toEqual([{ kind: "trial", days: 1 }]);

    await page.goto(`${app.origin}/flex/payments?plan=7days`);
    const card = page.frameLocator(`iframe[title="${FRAMES[language]}"]`);
    await card.locator('input[name="number"]').fill("4242424242424242");
    await card.locator('input[name="expiry"]').fill("12/39");
    await card.locator('input[name="cvc"]').fill("123");
    await card.locator('input[name="postalCode"]').fill("10001");
    await page.getByRole("button", { name: /50[.,]22/ }).click();
    await page
      .getByTestId("payment-outcome")
      .getByText(/50[.,]22/)
      .waitFor();
    expect(await creditsOf(`+1${friendPhone}`)).toEqual([
      { kind: "trial", days: 1 },
      { kind: "payment", days: 7 },
    ]);
    expect(await creditsOf(inviter.phoneNumber)).toEqual([{ kind: "invitation", days: 7 }]);
    expect(errors).toEqual([]);
    await context.close();
  },
);

it("leads a driver from a capture by a missed shift and a refund to the deletion of the account", async () => {
  const { app } = harness;
  await app.sql(`DELETE FROM city_spots`);
  const driver = await join("+15550100290");
  const paymentId = await payByCard(app.origin, driver.client, null);
  const warehouseId = await saveFilters(driver.client);
  await driver.client.patchUser({ mode: "masacre" });
  await driver.client.patchUser({ phoneNumber: driver.phoneNumber, userDisabled: 0 });

  const { page, context, errors } = await openPhone("en-US");
  await page.goto(`${app.origin}/login`);
  await signIn(page, driver.phoneNumber);
  await page.waitForURL("**/flex/**");
  await page.goto(`${app.origin}/flex/dashboard`);
  await page.locator('[role="switch"][aria-checked="true"]').first().waitFor();
  await publishOffer(harness, warehouseId, { inMinutes: 60, payCents: 9_450 });
  await page.getByTestId("next-block").getByText("$94.50").first().waitFor();

  // Nobody came: a day later the platform takes no check-in.
  const { items } = await driver.client.fetchJson<BlocksResponse>("GET", "/flex/v1/blocks?type=won");
  const id = items.flatMap((item) => (item.type === "won" ? [item.block.blockId] : [])).at(0);
  await postJson(outside(), "/sandbox/world", { now: Date.now() + 86_400_000 });
  const late = await driver.client.call("POST", `/flex/v1/blocks/${String(id)}/check-in`, {
    body: { latitude: 40.7, longitude: -73.9, accuracyMeters: 10, observedAt: Date.now() },
  });
  expect(await late.json()).toEqual({ outcome: "too_late" });

  const [payment] = await app.sql(`SELECT intent_id AS intent FROM payments WHERE id = ?`, paymentId);
  await postJson(outside(), `/sandbox/stripe/intents/${String(payment?.["intent"])}/refund`, {});
  const statusOf = () => app.sql(`SELECT status FROM payments WHERE id = ?`, paymentId);
  await expect.poll(statusOf).toEqual([{ status: "refunded" }]);
  await expect.poll(async () => (await textsTo(driver.phoneNumber)).join()).toContain("refund");
  await page.goto(`${app.origin}/flex/payments`);
  await page.getByText("Refunded").first().waitFor();

  await page.goto(`${app.origin}/flex/profile`);
  await page.getByText("Your data", { exact: true }).click();
  await page.getByRole("button", { name: "Delete account" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByLabel("Last 4 digits of your phone number").fill(driver.phoneNumber.slice(-4));
  await question.getByRole("button", { name: "Delete for good" }).click();
  await page.getByText("Your account is deleted").waitFor();
  expect(await app.sql(`SELECT id FROM users WHERE phone_number = ?`, driver.phoneNumber)).toEqual([]);
  // The books keep what was paid and given back.
  expect(await statusOf()).toEqual([{ status: "refunded" }]);
  const account = { phoneNumber: driver.phoneNumber, password: PASSWORD };
  await expect(signInBySrp(harness.pool, account)).rejects.toThrow("Incorrect username or password.");
  expect(errors).toEqual([]);
  await context.close();
});
