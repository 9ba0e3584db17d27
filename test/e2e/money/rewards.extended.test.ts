import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findViolations } from "../../support/accessibility.ts";
import { givePoints, registerDriver, type RegisteredDriver } from "../../support/drivers.ts";
import { createActiveDriver, openAs, openDashboard, openE2eHarness, type E2eHarness } from "../harness.ts";
import { looksOfRun } from "../looks.ts";

let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness();
});
afterAll(() => harness.close());

/** Points of a paid day. */
const givePaidPoints = (driver: RegisteredDriver, points: number) =>
  givePoints(harness.app, driver, { points, source: `payment:p-${driver.driverId}:earned` });

const isFocused = (element: Element) => element === document.activeElement;

async function addCaptures({ driverId }: RegisteredDriver, count: number): Promise<void> {
  await harness.app.sql(
    `INSERT INTO won_days (driver_id, day, currency, blocks, pay_cents, minutes) VALUES (?, 20000, 'USD', ?, 9000, 180)`,
    driverId,
    count,
  );
}

const LOOKS = [
  { name: "a phone by day", look: {} },
  {
    name: "a desk by night, in Portuguese",
    look: { viewport: { width: 1280, height: 900 }, colorScheme: "dark", locale: "pt-BR" },
  },
  { name: "a small phone, in Spanish", look: { viewport: { width: 320, height: 640 }, locale: "es-US" } },
] as const;

describe("rewards", () => {
  it("are redeemed after a confirmation, once, and their days are there at once", async () => {
    const driver = await registerDriver(harness.app, { serviceMs: 0 });
    await givePaidPoints(driver, 850);
    const { page, context, errors } = await openAs(harness, driver, "/flex/rewards");
    await page.getByTestId("points-balance").getByText("850 points").waitFor();
    await page.getByText("550 more for: 14 days of service").waitFor();
    await page.getByRole("button", { name: "Redeem: 7 days of service" }).click();
    await page.getByText("7 days of service for 700 points. You'll have 150 left.").waitFor();
    await page.getByRole("button", { name: "Redeem 700 points" }).dblclick();
    await page.getByTestId("points-balance").getByText("150 points").waitFor();
    await page.getByTestId("service-time").getByText("7 days left").waitFor();
    const ledger = page.getByTestId("points-ledger").getByRole("listitem");
    await expect
      .poll(() => ledger.allInnerTexts())
      .toEqual([
        expect.stringMatching(/^7 days of service\n.*\n-700$/),
        expect.stringMatching(/^Days you paid for\n.*\n\+850$/),
      ]);
    // By keyboard: a toast that lies over it stays for as long as the pointer is there.
    await page.getByRole("button", { name: "Menu" }).press("Enter");
    await page.getByTestId("menu-points").getByText("150 points").waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it("give a friend a trial by their number, and say at the number what is wrong with it", async () => {
    const driver = await registerDriver(harness.app);
    await givePaidPoints(driver, 150);
    const { page, context } = await openAs(harness, driver, "/flex/rewards");
    await page.getByRole("button", { name: "Redeem: A 1-day trial for a friend" }).click();
    const confirm = page.getByRole("button", { name: "Redeem 150 points" });
    await confirm.click();
    await page.getByText("Enter your friend's phone number.").waitFor();
    const number = page.getByLabel("Your friend's phone number");
    await number.fill(driver.phoneNumber.slice(2));
    await confirm.click();
    await page.getByText("That's your own number. Enter a friend's.").waitFor();
    expect(await number.getAttribute("aria-invalid")).toBe("true");
    await number.fill("5550107731");
    await confirm.click();
    await page.getByText("Redeemed. We texted your friend.").waitFor();
    await page.getByTestId("points-balance").getByText("0 points").waitFor();
    await context.close();
  });

  it("say that they could not be loaded, and load on a retry", async () => {
    const driver = await registerDriver(harness.app);
    const { page, context } = await openAs(harness, driver, "/flex/payments");
    await page.route("**/flex/v1/rewards", (route) => route.fulfill({ status: 400, json: {} }));
    await page.goto(`${harness.app.origin}/flex/rewards`);
    await page.getByText("Error loading rewards").waitFor();
    await page.unroute("**/flex/v1/rewards");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByTestId("points-balance").waitFor();
    await context.close();
  });

  it.each(looksOfRun(LOOKS))("and invitations have no axe violations on $name", async ({ look }) => {
    const driver = await registerDriver(harness.app);
    await givePaidPoints(driver, 420);
    const { page, context } = await openAs(harness, driver, "/flex/rewards", look);
    for (const [path, ready] of [
      ["/flex/rewards", "points-balance"],
      ["/flex/invitations", "invite-link"],
    ] as const) {
      await page.goto(`${harness.app.origin}${path}`);
      await page.getByTestId(ready).waitFor();
      expect(await findViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    }
    await context.close();
  });
});

describe("the question what a driver thinks", () => {
  it("comes after the third capture, needs a score, and goes once it is answered", async () => {
    const driver = await createActiveDriver(harness);
    await addCaptures(driver, 3);
    const { page, context, errors } = await openDashboard(harness, driver);
    const card = page.getByTestId("feedback");
    await card.waitFor();
    expect(await findViolations(page, { within: '[data-testid="feedback"]' })).toEqual([]);
    await page.getByTestId("points-card").getByText("0 points").waitFor();
    await card.getByRole("button", { name: "Send" }).click();
    await card.getByText("Choose a score from 1 to 10.").waitFor();
    expect(await card.getByRole("radio", { name: "1", exact: true }).evaluate(isFocused)).toBe(true);
    await card.getByRole("radio", { name: "9", exact: true }).check({ force: true });
    await card.getByLabel("What should we do better? (optional)").fill("Sooner.");
    await card.getByRole("button", { name: "Send" }).click();
    await card.waitFor({ state: "detached" });
    expect(
      await harness.app.sql(`SELECT score, comment FROM feedback WHERE driver_id = ?`, driver.driverId),
    ).toEqual([{ score: 9, comment: "Sooner." }]);
    await page.reload();
    await page.getByTestId("points-card").waitFor();
    expect(await card.count()).toBe(0);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("can be skipped, and says when it could not be sent", async () => {
    const driver = await createActiveDriver(harness);
    await addCaptures(driver, 3);
    const { page, context } = await openDashboard(harness, driver);
    const card = page.getByTestId("feedback");
    await page.route("**/flex/v1/feedback", (route) =>
      route.request().method() === "POST" ? route.fulfill({ status: 500, json: {} }) : route.fallback(),
    );
    await card.getByRole("button", { name: "Skip" }).click();
    await card.getByText("Error submitting NPS. Please try again.").waitFor();
    await page.unroute("**/flex/v1/feedback");
    await card.getByRole("button", { name: "Skip" }).click();
    await card.waitFor({ state: "detached" });
    await context.close();
  });
});
