import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ticketOf } from "../../db/shapes/money/raffle.ts";
import { prepare } from "../matrix/in-page.ts";
import { findViolations } from "../support/accessibility.ts";
import { gapAboveTabs } from "./harness.ts";
import {
  CARD_FRAME,
  CARDS,
  WALLETS_FRAME,
  openPaymentsHarness,
  pressPay,
  typeCard,
  type PaymentsHarness,
} from "./payments-harness.ts";
import { looksOfRun } from "./looks.ts";

let harness: PaymentsHarness;
beforeAll(async () => {
  harness = await openPaymentsHarness();
});
afterAll(() => harness.close());

describe("paying for days of service", () => {
  it.each([
    { name: "a phone", viewport: { width: 390, height: 844 } },
    { name: "a small laptop", viewport: { width: 1280, height: 720 } },
  ])(
    "shows plan, total and the button that pays in one look on $name, wherever it is scrolled to, once the card is filled in",
    async ({ viewport }) => {
      const { page, context } = await harness.enter({ viewport });
      await harness.openPayments(page);
      const cardNumber = page.frameLocator(CARD_FRAME).getByLabel("Card number");
      await cardNumber.waitFor();
      const pay = page.getByRole("button", { name: "Pay $90.62" });
      const isInView = async (locator: Locator) => {
        const box = await locator.boundingBox();
        return box !== null && box.y >= 0 && box.y + box.height <= viewport.height;
      };
      const top = async (locator: Locator) => (await locator.boundingBox())?.y ?? 0;
      expect(await isInView(page.getByRole("radio", { name: /14 days/ }))).toBe(true);
      expect(
        await isInView(page.frameLocator(WALLETS_FRAME).getByRole("button", { name: "Google Pay" })),
      ).toBe(true);
      // On a phone nothing covers the empty fields: the bar follows them.
      if (viewport.width < 1_024) expect(await top(pay)).toBeGreaterThan(await top(cardNumber));
      await typeCard(page, CARDS.good);
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      for (const part of [page.getByTestId("total"), pay]) await expect.poll(() => isInView(part)).toBe(true);
      // Then it stands on the edge, right above the tabs.
      if (viewport.width < 1_024) expect(await gapAboveTabs(page, "pay-bar")).toBe(0);
      await page.mouse.wheel(0, 300);
      expect(await isInView(pay)).toBe(true);
      const terms = page.getByTestId("pay-bar");
      await terms
        .getByText(/renews/)
        .locator("visible=true")
        .waitFor();
      if (viewport.width < 1_024)
        await terms.getByRole("button", { name: "refund policy and terms" }).click();
      const link = page.getByRole("link", { name: "terms of service", exact: true }).locator("visible=true");
      expect(await link.getAttribute("href")).toBe("/terms");
      await context.close();
    },
  );

  it("has a bar that lets go in large text on a small phone, and is reached by the keyboard all the same", async () => {
    const { page, context } = await harness.enter({ viewport: { width: 320, height: 844 } });
    await context.addInitScript(prepare, 200);
    await harness.openPayments(page);
    const bar = page.getByTestId("pay-bar");
    const pay = bar.getByRole("button", { name: /^Pay / });
    await expect.poll(() => bar.evaluate((element) => getComputedStyle(element).position)).toBe("static");
    await page.evaluate(() => scrollTo({ top: 0 }));
    expect((await pay.boundingBox())?.y).toBeGreaterThan(844);
    const isUncovered = (button: Element) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return hit !== null && button.contains(hit);
    };
    await pay.focus();
    await expect.poll(() => pay.evaluate(isUncovered)).toBe(true);
    await expect.poll(() => pay.isEnabled()).toBe(true);

    // In a low window, as a phone's that lies, the header is scrolled away too.
    await page.setViewportSize({ width: 844, height: 390 });
    const header = page.getByRole("banner");
    await expect
      .poll(() => header.evaluate((element) => getComputedStyle(element).position))
      .not.toBe("sticky");
    await context.close();
  });

  it("pays with a wallet from its own sheet, and stays unpaid where the wallet's card is declined", async () => {
    const { actor, page, context, errors } = await harness.enter();
    await harness.openPayments(page, "?plan=7days");
    const google = page.frameLocator(WALLETS_FRAME).getByRole("button", { name: "Google Pay" });
    const sheet = page.frameLocator('iframe[title="Google Pay"]');
    await google.click();
    await sheet.getByRole("button", { name: "Cancel" }).click();
    await google.click();
    await sheet.getByText("$50.22").waitFor();
    await sheet.getByRole("button", { name: /9995/ }).click();
    await page.getByRole("alert").getByText("There isn't enough money on this card.").waitFor();
    expect(await harness.paidOf(actor)).toMatchObject([{ status: "open" }]);
    await google.click();
    await sheet.getByRole("button", { name: /4242/ }).click();
    await page.getByTestId("payment-outcome").getByText("$50.22 for 7 days of service").waitFor();
    expect(await harness.paidOf(actor)).toEqual([
      { plan: "7days", status: "settled", total: 5022, points: 0 },
    ]);
    expect(errors.filter((error) => !error.includes("402"))).toEqual([]);
    await context.close();
  });

  it("does not pay when Enter is pressed on a plan or on the points", async () => {
    const { actor, page, context } = await harness.enter();
    await harness.givePoints(actor, 320);
    await harness.openPayments(page, "?plan=3days");
    await page.getByRole("button", { name: "Use all" }).click();
    await page.getByRole("button", { name: "Pay with 300 points" }).waitFor();
    await page.evaluate(() =>
      document.addEventListener("submit", () => (document.body.dataset["submitted"] = "yes"), true),
    );
    await page.getByRole("slider", { name: "Use points" }).press("Enter");
    await page.getByRole("radio", { name: /3 days/ }).press("Enter");
    expect(await page.evaluate(() => document.body.dataset["submitted"])).toBeUndefined();
    expect(await harness.paidOf(actor)).toEqual([]);
    await context.close();
  });

  it("leaves the page where it is when the button that pays takes the focus", async () => {
    const { page, context } = await harness.enter();
    await harness.openPayments(page, "?plan=3days");
    await typeCard(page, CARDS.good);
    const scrolled = () => page.evaluate(() => scrollY);
    const before = await scrolled();
    await page.getByRole("button", { name: "Pay $35.23" }).focus();
    await page.getByRole("button", { name: "Pay $35.23" }).scrollIntoViewIfNeeded();
    expect(await scrolled()).toBe(before);
    await context.close();
  });

  it("charges a card, shows the new end of service, and lists the receipt in the history", async () => {
    const { actor, page, context, errors } = await harness.enter();
    await harness.openPayments(page);
    expect(await page.getByRole("radio", { name: /14 days/ }).isChecked()).toBe(true);
    const promised = (await page.getByTestId("pay-bar").getByText(/until/).innerText()).replace(
      /.*until/s,
      "Service until",
    );
    await typeCard(page, CARDS.good);
    await page.getByRole("button", { name: "Pay $90.62" }).dblclick();
    const outcome = page.getByTestId("payment-outcome");
    await outcome.getByText("Paid").waitFor();
    // Exact to the minute: it extends the month that the driver already has.
    expect(await outcome.getByText(/^Service until/).innerText()).toBe(promised);
    expect(page.url()).not.toContain("secret");
    await page.getByRole("button", { name: /14 days.*\$90\.62/ }).click();
    const receipt = page.getByRole("dialog");
    await receipt.getByRole("link", { name: "View receipt" }).waitFor();
    expect(await harness.paidOf(actor)).toEqual([
      { plan: "14days", status: "settled", total: 9062, points: 0 },
    ]);
    await page.reload();
    await page.getByTestId("payment-outcome").getByText("Paid").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Buy more days" }).click();
    await page.getByRole("button", { name: "Pay $90.62" }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it("shows the bank's challenge in a frame over the page", async () => {
    const { actor, page, context } = await harness.enter();
    await harness.openPayments(page, "?plan=3days");
    await typeCard(page, CARDS.threeDSecure);
    await page.getByRole("button", { name: "Pay $35.23" }).click();
    const bank = page.frameLocator('iframe[title*="3D Secure"]');
    await bank.getByRole("button", { name: "Complete" }).click();
    await page.getByTestId("payment-outcome").getByText("Paid").waitFor();
    expect(await harness.paidOf(actor)).toEqual([
      { plan: "3days", status: "settled", total: 3523, points: 0 },
    ]);
    await context.close();
  });

  it("keeps the form after a failed challenge, says why, and accepts another card", async () => {
    const { actor, page, context } = await harness.enter();
    await harness.openPayments(page, "?plan=7days");
    await typeCard(page, CARDS.declined);
    await pressPay(page, "Pay $50.22");
    await page.getByRole("alert").getByText("There isn't enough money on this card.").waitFor();
    expect(await page.getByRole("alert").innerText()).toContain("You weren't charged.");
    await typeCard(page, CARDS.threeDSecure);
    await pressPay(page, "Pay $50.22");
    const bank = page.frameLocator('iframe[title*="3D Secure"]');
    await bank.getByRole("button", { name: "Fail" }).click();
    await page.getByRole("alert").getByText("Your bank couldn't confirm it's you.").waitFor();
    await typeCard(page, CARDS.good);
    await pressPay(page, "Pay $50.22");
    await page.getByTestId("payment-outcome").getByText("Paid").waitFor();
    expect(await harness.paidOf(actor)).toEqual([
      { plan: "7days", status: "settled", total: 5022, points: 0 },
    ]);
    await context.close();
  });

  it("needs no card if points cover the price, and updates the discount while the slider moves", async () => {
    const { actor, page, context } = await harness.enter();
    await harness.givePoints(actor, 320);
    await harness.openPayments(page, "?plan=3days");
    const slider = page.getByRole("slider", { name: "Use points" });
    await slider.fill("150");
    await page.getByText("Points discount (150)").waitFor();
    expect(await page.getByTestId("total").innerText()).toBe("$17.62");
    await page.getByRole("button", { name: "Use all" }).click();
    await page.getByRole("button", { name: "Pay with 300 points" }).click();
    await page.getByTestId("payment-outcome").getByText("Paid").waitFor();
    expect(await harness.paidOf(actor)).toEqual([
      { plan: "3days", status: "settled", total: 0, points: 300 },
    ]);
    await context.close();
  });

  it("does not charge again in a second tab", async () => {
    const { actor, page, context } = await harness.enter();
    const second = await context.newPage();
    for (const tab of [page, second]) {
      await harness.openPayments(tab, "?plan=3days");
      await typeCard(tab, CARDS.good);
    }
    await page.getByRole("button", { name: "Pay $35.23" }).click();
    await page.getByTestId("payment-outcome").getByText("Paid").waitFor();
    await second.getByRole("button", { name: "Pay $35.23" }).click();
    await second.getByTestId("payment-outcome").getByText("Paid").waitFor();
    expect(await harness.paidOf(actor)).toHaveLength(1);
    await context.close();
  });

  it("charges nothing if the price has changed since the page was loaded", async () => {
    const { actor, page, context } = await harness.enter();
    await harness.openPayments(page, "?plan=30days");
    await typeCard(page, CARDS.good);
    await harness.app.sql(
      `INSERT INTO price_cuts (id, kind, plan, price_cents, driver_id, starts_at, ends_at) VALUES (?, 'special_price', '30days', 15000, ?, 0, ?)`,
      `cut-${actor.driverId}`,
      actor.driverId,
      Date.now() + 86_400_000,
    );
    await page.getByRole("button", { name: "Pay $171.18" }).click();
    const alert = page.getByRole("alert");
    await alert.getByText("Error preparing payment").waitFor();
    await page.getByRole("button", { name: "Pay $151.05" }).waitFor();
    await page.getByText("Special price").first().waitFor();
    expect(await harness.paidOf(actor)).toEqual([]);
    await context.close();
  });

  it("shows an error if history or plans can't be loaded, and retries", async () => {
    const { page, context } = await harness.enter();
    await page.route("**/flex/v1/payments", (route) => route.fulfill({ status: 400, json: {} }));
    await harness.openPayments(page);
    await page.getByText("We couldn't load your payment history").waitFor();
    await page.unroute("**/flex/v1/payments");
    await page.getByRole("button", { name: "Try again" }).last().click();
    await page.getByText("No payments yet").waitFor();
    await context.close();
  });

  it.each(
    looksOfRun([
      { name: "a phone by day", look: {} },
      {
        name: "a desk by night, in Portuguese",
        look: { viewport: { width: 1280, height: 900 }, colorScheme: "dark", locale: "pt-BR" },
      },
      { name: "a small phone, in Spanish", look: { viewport: { width: 320, height: 640 }, locale: "es-US" } },
    ] as const),
  )("has no axe violations on $name", async ({ look }) => {
    const { page, context } = await harness.enter(look);
    await harness.openPayments(page);
    await page.locator("iframe").first().waitFor();
    // The content of the card's frame is Stripe's.
    expect(await findViolations(page, { except: "iframe" })).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await context.close();
  });
});

describe("the raffle", () => {
  it("stands on the plan that enters it and on no other, and tells its winner on the dashboard", async () => {
    const { actor, page, context, errors } = await harness.enter();
    const { driverId } = actor;
    const id = `raffle-${driverId}`;
    const { sql } = harness.app;
    await sql(
      `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash, prize) VALUES (?, '14days', 0, ?, 1, 'hash', ?)`,
      id,
      Date.now() + 86_400_000,
      JSON.stringify({ en: "A bike", es: "Una bici", pt: "Uma bicicleta" }),
    );
    await harness.openPayments(page);
    const plans = page.getByRole("group", { name: "Choose a plan" }).locator("label");
    await page.getByText(/^Enters you in the raffle until/).waitFor();
    expect(await plans.filter({ hasText: "Enters you in the raffle" }).allInnerTexts()).toEqual([
      expect.stringContaining("14 days"),
    ]);
    const enters = page.getByText("This payment enters the raffle.");
    await enters.waitFor();
    await page.getByRole("radio", { name: /7 days/ }).check();
    await page.getByRole("button", { name: "Pay $50.22" }).waitFor();
    expect(await enters.count()).toBe(0);

    const ticket = await ticketOf({ promotionId: id, paymentId: "p1", driverId });
    await sql(
      `INSERT INTO raffle_entries (promotion_id, payment_id, driver_id, at) VALUES (?, 'p1', ?, 1)`,
      id,
      driverId,
    );
    await sql(
      `INSERT INTO raffle_tickets (promotion_id, entry, holder, rank) VALUES (?, ?, ?, 1)`,
      id,
      ticket.entry,
      ticket.holder,
    );
    await sql(
      `UPDATE promotions SET seed = 'seed', ends_at = ?, closed_at = ? WHERE id = ?`,
      Date.now() - 1,
      Date.now(),
      id,
    );
    await harness.openPayments(page);
    expect(await page.getByText(/raffle/).count()).toBe(0);
    await page.goto(`${harness.app.origin}/flex/dashboard`);
    const won = page.getByTestId("raffle-won");
    await won.getByText("Your prize: A bike. We'll contact you about it.").waitFor();
    expect(await won.getByRole("link", { name: "See the draw" }).getAttribute("href")).toBe(`/raffle/${id}`);
    expect(errors).toEqual([]);
    await context.close();
  });
});
