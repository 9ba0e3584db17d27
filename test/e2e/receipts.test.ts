import { afterAll, beforeAll, expect, it } from "vitest";
import { findViolations } from "../support/accessibility.ts";
import {
  CARDS,
  openPaymentsHarness,
  typeCard,
  type Payer,
  type PaymentsHarness,
} from "./payments-harness.ts";

let harness: PaymentsHarness;
beforeAll(async () => {
  harness = await openPaymentsHarness({
    SELLER_NAME: "Jornada Services LLC",
    SELLER_ADDRESS: "1 Main St\nMelville, NY 11747",
    SELLER_TAX_ID: "US-99-1234567",
    TAX_NAME: "Sales tax",
    TAX_RATE: "0.08",
  });
});
afterAll(() => harness.close());

async function payByCard({ page }: Payer): Promise<void> {
  await harness.openPayments(page, "?plan=7days");
  await typeCard(page, CARDS.good);
  await page.getByRole("button", { name: "Pay $50.22" }).click();
  await page.getByTestId("payment-outcome").getByText("Paid").waitFor();
}

async function latestText({ actor }: Payer): Promise<string> {
  const query = new URLSearchParams({ to: actor.phoneNumber });
  const response = await fetch(`${harness.app.origin}/sandbox/sms?${query.toString()}`);
  const { messages } = (await response.json()) as { messages: { body: string }[] };
  return messages[0]?.body ?? "";
}

it("opens a payment's receipt from the outcome, the history and the text, and prints it alone", async () => {
  const payer = await harness.enter();
  const { page, context, errors } = payer;
  await payByCard(payer);
  await page.getByRole("link", { name: "View receipt" }).click();
  const receipt = page.getByTestId("receipt");
  const facts = await receipt.innerText();
  for (const fact of [
    /Receipt \d+/,
    "Jornada Services LLC",
    "Melville, NY 11747",
    "Tax ID US-99-1234567",
    /(January|February|March|April|May|June|July|August|September|October|November|December) \d+, \d{4}/,
    "Visa ending in 4242",
    "7 days of service",
    "$49.87",
    "Bank fee",
    "$0.35",
    "$50.22",
    "Includes Sales tax (8%)",
    "$3.72",
  ])
    expect(facts).toMatch(fact);
  expect(await findViolations(page)).toEqual([]);
  const address = page.url();

  await page.goBack();
  await page.getByRole("button", { name: /7 days.*\$50\.22/ }).click();
  await page.getByRole("dialog").getByRole("link", { name: "View receipt" }).click();
  await receipt.waitFor();
  expect(page.url()).toBe(address);
  await expect.poll(() => latestText(payer)).toContain(new URL(address).pathname);

  await page.emulateMedia({ media: "print" });
  expect(await page.getByRole("button", { name: "Print or save as PDF" }).isVisible()).toBe(false);
  for (const landmark of ["banner", "contentinfo", "navigation"] as const)
    expect(await page.getByRole(landmark).locator("visible=true").count()).toBe(0);
  const pdf = (await page.pdf({ format: "Letter" })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  // A preload of the filters, where nothing is linked.
  expect(errors.filter((error) => !error.includes("409"))).toEqual([]);
  await context.close();
});

it("lists what went back, and what a payment by points cost", async () => {
  const payer = await harness.enter();
  const { actor, page, context } = payer;
  await payByCard(payer);
  const intents = await fetch(`${harness.app.origin}/sandbox/stripe/intents`);
  const [intent] = ((await intents.json()) as { intents: { id: string }[] }).intents;
  await harness.control(`intents/${intent?.id ?? ""}/refund`, { amount: 2_000 });
  await expect.poll(async () => (await harness.paidOf(actor))[0]?.["status"]).toBe("partly_refunded");
  await page.getByRole("link", { name: "View receipt" }).click();
  const receipt = page.getByTestId("receipt");
  await receipt.getByText(/^Refund, /).waitFor();
  expect(await receipt.innerText()).toMatch(/-\$20\.00\s+Paid after refunds\s+\$30\.22/);

  await harness.givePoints(actor, 300);
  await harness.openPayments(page, "?plan=3days");
  await page.getByRole("button", { name: "Use all" }).click();
  await page.getByRole("button", { name: "Pay with 300 points" }).click();
  await page.getByTestId("payment-outcome").getByText("300 points for 3 days of service").waitFor();
  await page.getByRole("link", { name: "View receipt" }).click();
  await receipt.getByText("Points discount (300)").waitFor();
  expect(await receipt.innerText()).toMatch(/Payment method\s+Points/);
  await context.close();
});

it("has no receipt for what was never paid, is another's, or is no payment", async () => {
  const [payer, other] = [await harness.enter(), await harness.enter()];
  await payByCard(payer);
  const [payment] = await harness.app.sql(
    `SELECT id FROM payments WHERE driver_id = ?`,
    payer.actor.driverId,
  );
  const { page } = other;
  const called: string[] = [];
  page.on("request", (request) => called.push(new URL(request.url()).pathname));
  for (const id of [String(payment?.["id"]), "nothing", "..%2f..%2fuser%2fexport"]) {
    await page.goto(`${harness.app.origin}/flex/receipts/${id}`);
    await page.getByRole("heading", { name: "No receipt here" }).waitFor();
  }
  expect(called.filter((path) => path.startsWith("/flex/v1") && path.includes("export"))).toEqual([]);
  await page.getByRole("link", { name: "All payments" }).click();
  await page.getByTestId("total").waitFor();
  await payer.context.close();
  await other.context.close();
});
