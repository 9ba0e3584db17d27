import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  CARD_FRAME,
  CARDS,
  openPaymentsHarness,
  typeCard,
  type PaymentsHarness,
} from "../payments-harness.ts";

let harness: PaymentsHarness;
beforeAll(async () => {
  harness = await openPaymentsHarness();
});
afterAll(() => harness.close());

const CONFIRM = "**/sandbox/stripe/v1/payment_intents/*/confirm";
const outcomeOf = (page: Page) => page.getByTestId("payment-outcome");
const pay = (page: Page, money: string) => page.getByRole("button", { name: `Pay ${money}` }).click();

async function latestIntent(): Promise<string> {
  const response = await fetch(`${harness.app.origin}/sandbox/stripe/intents`);
  const { intents } = (await response.json()) as { intents: { id: string }[] };
  return intents[0]?.id ?? "";
}

describe("an answer that is lost", () => {
  it("after the card was charged leads to the payment, never to 'You weren't charged'", async () => {
    const { actor, page, context } = await harness.enter();
    await harness.openPayments(page);
    await typeCard(page, CARDS.good);
    await page.route(CONFIRM, async (route) => {
      await route.fetch();
      await route.abort();
    });
    const said: string[] = [];
    await page.exposeFunction("noteAlert", (text: string) => said.push(text));
    await page.evaluate(() =>
      new MutationObserver(() => {
        for (const alert of document.querySelectorAll("[role=alert]"))
          if (alert.checkVisibility({ visibilityProperty: true }))
            (globalThis as unknown as { noteAlert: (text: string) => void }).noteAlert(
              alert.textContent ?? "",
            );
      }).observe(document.body, { subtree: true, childList: true, characterData: true }),
    );
    await pay(page, "$90.62");
    await outcomeOf(page).getByText("$90.62 for 14 days of service").waitFor();
    expect(said).toEqual([]);
    expect(await harness.paidOf(actor)).toEqual([
      { plan: "14days", status: "settled", total: 9062, points: 0 },
    ]);
    await context.close();
  });

  it("before it reached the bank says what is known, and the next try is the same payment", async () => {
    const { actor, page, context } = await harness.enter();
    await harness.openPayments(page, "?plan=7days");
    await typeCard(page, CARDS.good);
    await page.route(CONFIRM, (route) => route.abort());
    await pay(page, "$50.22");
    const alert = page.getByRole("alert").filter({ hasText: "We didn't hear back from your bank" });
    await alert.getByText("one payment is never charged twice").waitFor();
    await page.unroute(CONFIRM);
    await pay(page, "$50.22");
    await outcomeOf(page).getByText("$50.22 for 7 days of service").waitFor();
    expect(await harness.paidOf(actor)).toEqual([
      { plan: "7days", status: "settled", total: 5022, points: 0 },
    ]);
    await context.close();
  });

  it("together with the connection claims nothing until the payment can be checked", async () => {
    const { page, context } = await harness.enter();
    await harness.openPayments(page, "?plan=3days");
    await typeCard(page, CARDS.good);
    await page.route(CONFIRM, async (route) => {
      await route.fetch();
      await page.route("**/flex/v1/payments/*", (look) => look.abort());
      await route.abort();
    });
    await pay(page, "$35.23");
    await outcomeOf(page).getByText("We couldn't check your payment").waitFor();
    expect(await page.getByText("charged").count()).toBe(0);
    await page.unroute("**/flex/v1/payments/*");
    await outcomeOf(page).getByRole("button", { name: "Try again" }).click();
    await outcomeOf(page).getByText("$35.23 for 3 days of service").waitFor();
    await context.close();
  });

  it("of a payment by points leads to that payment", async () => {
    const { actor, page, context } = await harness.enter();
    await harness.givePoints(actor, 300);
    await harness.openPayments(page, "?plan=3days");
    await page.getByRole("button", { name: "Use all" }).click();
    await page.route("**/flex/v1/payments/prepare", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Pay with 300 points" }).click();
    await outcomeOf(page).getByText("300 points for 3 days of service").waitFor();
    expect(await harness.paidOf(actor)).toHaveLength(1);
    await context.close();
  });
});

describe("a payment that the bank has", () => {
  async function startProcessing() {
    const payer = await harness.enter();
    const { page } = payer;
    await harness.openPayments(page, "?plan=7days");
    await typeCard(page, CARDS.declined);
    await pay(page, "$50.22");
    await page.getByRole("alert").first().waitFor();
    const intent = await latestIntent();
    await harness.control(`intents/${intent}/pay`, { hold: true });
    await expect.poll(async () => (await harness.paidOf(payer.actor))[0]?.["status"]).toBe("processing");
    await page.goto(`${harness.app.origin}/flex/payments`);
    await outcomeOf(page).getByText("Your bank is still processing this").waitFor();
    return { ...payer, intent };
  }

  it("is shown with amount and start instead of a card form, and turns into days", async () => {
    const { page, context, intent } = await startProcessing();
    await outcomeOf(page)
      .getByText(/\$50\.22 for 7 days of service, since .*[AP]M/)
      .waitFor();
    await outcomeOf(page).getByText("you can't pay again").waitFor();
    expect(await page.locator(CARD_FRAME).count()).toBe(0);
    await harness.control(`intents/${intent}/settle`, { outcome: "succeeded" });
    await outcomeOf(page).getByText("$50.22 for 7 days of service").waitFor();
    await outcomeOf(page)
      .getByText(/^Service until/)
      .waitFor();
    await page.getByRole("link", { name: "Buy more days" }).click();
    await page.getByRole("button", { name: /^Pay \$/ }).waitFor();
    await context.close();
  });

  it("can be canceled, and where the bank refuses that, it is said", async () => {
    const { actor, page, context } = await startProcessing();
    const CANCEL = "**/flex/v1/payments/*/cancel";
    await page.route(CANCEL, async (route) => {
      const look = route
        .request()
        .url()
        .replace(/\/cancel$/, "");
      await route.fulfill({ response: await route.fetch({ url: look, method: "GET" }) });
    });
    await outcomeOf(page).getByRole("button", { name: "Cancel payment" }).click();
    await outcomeOf(page).getByText("Your bank has it already").waitFor();
    expect(await page.getByRole("button", { name: "Cancel payment" }).count()).toBe(0);
    await page.unroute(CANCEL);
    await page.reload();
    await outcomeOf(page).getByRole("button", { name: "Cancel payment" }).click();
    await outcomeOf(page).getByText("Payment canceled").waitFor();
    expect(await harness.paidOf(actor)).toMatchObject([{ status: "abandoned" }]);
    await context.close();
  });
});

it("says when a card can be tried again, after several were declined", async () => {
  const { actor, page, context } = await harness.enter();
  await harness.openPayments(page, "?plan=3days");
  await typeCard(page, CARDS.declined);
  const alert = page.getByRole("alert").filter({ hasText: "There isn't enough money on this card." });
  await pay(page, "$35.23");
  await alert.waitFor();
  const intent = await latestIntent();
  for (let tries = 2; tries <= 5; tries += 1)
    await harness.control(`intents/${intent}/pay`, { card: CARDS.declined });
  await expect.poll(async () => (await harness.paidOf(actor))[0]?.["status"]).toBe("abandoned");
  await page.goto(`${harness.app.origin}/flex/payments`);
  await page.getByText(/^You can try a card again at .*[AP]M$/).waitFor();
  await page.getByText("Several cards were declined").waitFor();
  expect(await page.locator(CARD_FRAME).count()).toBe(0);
  await context.close();
});

describe("the address", () => {
  it.each([
    "?redirect_status=evil",
    "?payment=../user/export",
    "?redirect_status=evil&payment=..%2Fuser%2Fexport&plan=free",
  ])("%s shows the plans, and calls nothing that it names", async (query) => {
    const { page, context } = await harness.enter();
    const called: string[] = [];
    page.on("request", (request) => called.push(new URL(request.url()).pathname));
    await harness.openPayments(page, query);
    expect(await page.getByRole("radio", { name: /14 days/ }).isChecked()).toBe(true);
    expect(await page.getByText("Back from your bank").count()).toBe(0);
    expect(called.filter((path) => path.includes("export"))).toEqual([]);
    expect(new URL(page.url()).search).toBe("?plan=14days");
    await context.close();
  });

  it("has no secret after the way back from a bank's own page", async () => {
    await harness.control("switches", { redirectNext: true });
    const { page, context } = await harness.enter();
    await harness.openPayments(page, "?plan=3days");
    await typeCard(page, CARDS.good);
    await pay(page, "$35.23");
    await page.waitForURL("**/sandbox/stripe/bank?**");
    await page.getByRole("button", { name: "Complete" }).click();
    await outcomeOf(page).getByText("$35.23 for 3 days of service").waitFor();
    expect([...new URL(page.url()).searchParams.keys()].toSorted()).toEqual([
      "payment",
      "plan",
      "redirect_status",
    ]);
    await context.close();
  });
});
