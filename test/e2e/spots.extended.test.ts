import { afterAll, beforeAll, expect, it } from "vitest";
import { findViolations } from "../support/accessibility.ts";
import { DriverClient } from "../support/driver-client.ts";
import { registerDriver } from "../support/drivers.ts";
import { linkPlatformAccount, postJson, signIn } from "../support/sandbox-client.ts";
import { openAs, openE2eHarness, type E2eHarness } from "./harness.ts";
import { bringToLife } from "./shell-harness.ts";

const CITY = "New York City";
const CARD_FRAME = 'iframe[title="Secure payment input frame"]';

let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness();
  const target = { fetch, origin: harness.app.origin };
  await postJson(target, "/sandbox/world", { reset: true, generate: false, seed: 1 });
  await postJson(target, "/sandbox/stripe/endpoint", {
    url: `${harness.app.origin}/webhooks/stripe`,
    secret: "whsec_sandbox",
  });
});
afterAll(() => harness.close());

async function link() {
  const target = { fetch, origin: harness.app.origin };
  const driver = await registerDriver(harness.app, { serviceMs: 0 });
  const client = new DriverClient({ ...target, token: await signIn(target, driver) });
  await linkPlatformAccount({ ...target, client }, driver.email);
  return driver;
}

async function textsTo(phoneNumber: string): Promise<string[]> {
  const response = await fetch(`${harness.app.origin}/sandbox/sms?to=${encodeURIComponent(phoneNumber)}`);
  const { messages } = (await response.json()) as { messages: { body: string }[] };
  return messages.map(({ body }) => body);
}

it("waits in line and moves up, hears that a spot opens, takes it and pays", async () => {
  const { app, browser } = harness;
  await app.sql(`INSERT INTO city_spots (city, spots) VALUES (?, 1)`, CITY);
  await link();
  const first = await link();
  const last = await link();

  const visitor = await browser.newPage();
  await visitor.goto(app.origin);
  await bringToLife(visitor);
  await visitor.getByTestId("city-spots").getByText("Full, 2 on the waitlist").waitFor();
  await visitor.close();

  const { page, context, errors } = await openAs(harness, first, "/flex/payments");
  const card = page.getByTestId("spot");
  await card.getByText("You're on the waitlist in New York City").waitFor();
  expect(await page.getByTestId("place-in-line").textContent()).toBe("1");
  expect(await page.getByTestId("total").count()).toBe(0);
  expect(await findViolations(page)).toEqual([]);

  const behind = await openAs(harness, last, "/flex/filters");
  const notice = behind.page.getByTestId("spot");
  await notice.getByText("You're on the waitlist in New York City").waitFor();
  expect(await behind.page.getByTestId("place-in-line").textContent()).toBe("2");
  expect(await notice.getByText("You joined as number").count()).toBe(0);

  // Nothing asks for days that can't be paid yet; 'the same again', which texts link to, leads to the line as well.
  await page.goto(`${app.origin}/flex/payments?again=1`);
  await card.getByText("You're on the waitlist in New York City").waitFor();
  await page.goto(`${app.origin}/flex/dashboard`);
  const system = page.getByTestId("system-card");
  await system.getByTestId("system-switch").waitFor();
  await system.getByText("None", { exact: true }).waitFor();
  expect(await system.getByRole("link", { name: "Add days" }).count()).toBe(0);
  await page.goto(`${app.origin}/flex/payments`);

  await app.sql(`UPDATE city_spots SET spots = 2 WHERE city = ?`, CITY);
  await app.runCron("* * * * *");
  await expect
    .poll(() => textsTo(first.phoneNumber))
    .toMatchObject([expect.stringContaining("a spot in New York City is kept for you until")]);
  await behind.page.reload();
  await notice.getByText("You joined as number 2.").waitFor();
  expect(await behind.page.getByTestId("place-in-line").textContent()).toBe("1");
  expect(behind.errors).toEqual([]);
  await behind.context.close();
  // Nobody reloads this page, and it asks by itself once a minute: the socket tells it.
  await card.getByRole("button", { name: "Take my spot" }).click();
  await page.frameLocator(CARD_FRAME).getByLabel("Card number").fill("4242424242424242");
  const frame = page.frameLocator(CARD_FRAME);
  await frame.getByLabel("Expiration date").fill("12/39");
  await frame.getByLabel("Security code").fill("123");
  await frame.getByLabel("ZIP code").fill("10001");
  await page.getByRole("button", { name: "Pay $90.62" }).click();
  await page.getByTestId("payment-outcome").getByText("$90.62 for 14 days of service").waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

it("asks no driver to link who has, while the city isn't known yet", async () => {
  const driver = await link();
  const { page, context } = await openAs(harness, driver, "/flex/nowhere");
  await page.route("**/flex/v1/spot", (route) => route.fulfill({ json: { spot: null, mustLink: true } }));
  await page.goto(`${harness.app.origin}/flex/payments`);
  const card = page.getByTestId("spot");
  await card.getByText("Looking for a spot").waitFor();
  expect(await card.getByRole("link", { name: "Link my account" }).count()).toBe(0);
  // It looks again by itself.
  await page.unroute("**/flex/v1/spot");
  await card.getByText("Looking for a spot").waitFor({ state: "detached" });
  await context.close();
});
