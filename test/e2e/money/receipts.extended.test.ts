import { afterAll, beforeAll, expect, it } from "vitest";
import { findViolations } from "../../support/accessibility.ts";
import { DriverClient } from "../../support/driver-client.ts";
import { signIn } from "../../support/sandbox-client.ts";
import { picture } from "../console/console-harness.ts";
import {
  CARDS,
  openPaymentsHarness,
  typeCard,
  type Payer,
  type PaymentsHarness,
} from "../payments-harness.ts";
import { PHONE } from "../profile-harness.ts";

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

it("opens the receipts of a deleted account from its last text, without signing in, and prints them", async () => {
  const payer = await harness.enter();
  const { actor } = payer;
  await payByCard(payer);
  const [intent] = await harness.app.sql(
    `SELECT intent_id FROM payments WHERE driver_id = ?`,
    actor.driverId,
  );
  await harness.control(`intents/${String(intent?.["intent_id"])}/refund`, { amount: 2_000 });
  await expect.poll(async () => (await harness.paidOf(actor))[0]?.["status"]).toBe("partly_refunded");
  await harness.givePoints(actor, 300);
  await harness.openPayments(payer.page, "?plan=3days");
  await payer.page.getByRole("button", { name: "Use all" }).click();
  await payer.page.getByRole("button", { name: "Pay with 300 points" }).click();
  await payer.page.getByTestId("payment-outcome").getByText("300 points for 3 days of service").waitFor();
  await payer.context.close();
  const target = { fetch, origin: harness.app.origin };
  const client = new DriverClient({ ...target, token: await signIn(target, actor) });
  await client.fetchJson("DELETE", "/flex/v1/user");
  await expect.poll(() => latestText(payer)).toMatch(/\/receipts#[\w-]{38}$/);
  const link = /\/receipts#[\w-]{38}$/.exec(await latestText(payer))?.[0] ?? "";

  for (const [locale, title, print, facts] of [
    ["en-US", "Your receipts", "Print or save as PDF", ["$50.22", "Paid after refunds", "$30.22", "Points"]],
    ["es-US", "Tus recibos", "Imprimir o guardar como PDF", ["50.22", "Pagado tras reembolsos", "30.22"]],
    ["pt-BR", "Seus recibos", "Imprimir ou salvar como PDF", ["50,22", "Pago após reembolsos", "30,22"]],
  ] as const) {
    const context = await harness.browser.newContext({ ...PHONE, locale, colorScheme: "dark" });
    const page = await context.newPage();
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await page.goto(`${harness.app.origin}${link}`);
    const papers = page.getByTestId("receipt");
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await expect.poll(() => papers.count()).toBe(2);
    const text = (await papers.allInnerTexts()).join("\n");
    for (const fact of facts) expect(text).toContain(fact);
    // Their owner's name is erased, and the token is in no address that leaves the page.
    expect(text).not.toContain("Ana");
    const token = link.slice(link.indexOf("#") + 1);
    expect(page.url()).toBe(`${harness.app.origin}/receipts`);
    expect(addresses.filter((one) => new URL(one).pathname !== "/receipts" && one.includes(token))).toEqual(
      [],
    );
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    expect(await findViolations(page)).toEqual([]);
    await picture(page, `receipts-${locale}`);
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("button", { name: print }).isVisible()).toBe(false);
    const pdf = (await page.pdf({ format: "Letter" })).toString("latin1");
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
    await context.close();
  }
});

it("says that a link to receipts is none, and where one with an account finds them", async () => {
  const context = await harness.browser.newContext({ ...PHONE, locale: "en-US" });
  const page = await context.newPage();
  for (const token of ["short", "x".repeat(38)]) {
    await page.goto("about:blank");
    await page.goto(`${harness.app.origin}/receipts#${token}`);
    await page
      .getByText(
        "With an account, your receipts are under My payments. If it was deleted, write to us for them.",
      )
      .waitFor();
    expect(await page.getByTestId("receipt").count()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
  }
  await context.close();
});
