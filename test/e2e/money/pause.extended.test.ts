import { afterAll, beforeAll, expect, it } from "vitest";
import { findViolations } from "../../support/accessibility.ts";
import { DriverClient } from "../../support/driver-client.ts";
import { registerDriver } from "../../support/drivers.ts";
import { linkPlatformAccount, signIn } from "../../support/sandbox-client.ts";
import { createActiveDriver, openAs, openE2eHarness, type E2eHarness } from "../harness.ts";

let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness();
});
afterAll(() => harness.close());

it("a driver pauses their days, sees it on the dashboard, and ends the pause early", async () => {
  const actor = await createActiveDriver(harness);
  const { page, context, errors } = await openAs(harness, actor, "/flex/payments");
  const card = page.getByTestId("pause");
  await card.getByText("You have 14 days of pause left.").waitFor();
  await card.getByRole("group", { name: "Days of pause" }).getByRole("button").first().click();
  await card.getByText("2 days", { exact: true }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  const offered = page.getByTestId("pay-bar").getByText(/^until /);
  const before = await offered.innerText();
  await card.getByRole("button", { name: /^Pause until/ }).click();
  await card.getByText(/^Paused until/).waitFor();
  // The price is shown as out of date until the one after the pause is there.
  await offered.filter({ hasNotText: before }).waitFor();
  expect(await findViolations(page)).toEqual([]);

  const menu = page.getByRole("navigation", { name: "Main menu" });
  await menu.getByRole("link", { name: "Home" }).click();
  await page
    .getByText(/^Paused until/)
    .first()
    .waitFor();
  await page.getByText("Your days don't run meanwhile.").first().waitFor();

  await menu.getByRole("link", { name: "Payments" }).click();
  await card.getByRole("button", { name: "End the pause now" }).click();
  await card.getByText("Pauses left: 3.").waitFor();
  await menu.getByRole("link", { name: "Home" }).click();
  await page.getByText("Looking for blocks").first().waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

it("a driver whose spot others wait for hears so, and pauses nothing", async () => {
  const { app } = harness;
  const actor = await createActiveDriver(harness);
  const { page, context, errors } = await openAs(harness, actor, "/flex/payments");
  const card = page.getByTestId("pause");
  await card.getByText("You have 14 days of pause left.").waitFor();

  // The city is full by now, and the page is from before somebody waited.
  await app.sql(`INSERT INTO city_spots (city, spots) VALUES ('New York City', 1)`);
  const target = { fetch, origin: app.origin };
  const waiting = await registerDriver(app, { serviceMs: 0 });
  const client = new DriverClient({ ...target, token: await signIn(target, waiting) });
  await linkPlatformAccount({ ...target, client }, waiting.email);

  await card.getByRole("button", { name: /^Pause until/ }).click();
  await card.getByText("other drivers are waiting for a spot in your city").last().waitFor();
  expect(await card.getByRole("button").count()).toBe(0);
  await page.reload();
  await card.getByText("You can't pause right now").waitFor();
  expect(await card.getAttribute("data-paused")).toBe("false");
  expect(await findViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
  await context.close();
});
