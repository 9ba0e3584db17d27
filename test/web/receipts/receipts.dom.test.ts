import { cleanup, screen, within } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { Receipt } from "../../../worker/contract/money/payments.ts";
import { receiptQuery } from "../../../web/api/queries/payments.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { DEVICE_TIME_ZONE, formatLongDate } from "../../../web/features/language/format.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { ReceiptLinkScreen } from "../../../web/features/receipts/receipt-link-screen.tsx";
import { ReceiptScreen } from "../../../web/features/receipts/receipt-screen.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { textsIn } from "../../support/html-text.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, type Reply } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
afterEach(() => void vi.restoreAllMocks());

const TOKEN = "r".repeat(38);
const READ = "GET /flex/v1/receipt-link";
const PRINT = "Print or save as PDF";
const RECEIPT: Receipt = {
  plan: "7days",
  currency: "USD",
  priceCents: 5000,
  discountKind: null,
  discountCents: 0,
  points: 0,
  pointsCents: 0,
  feeCents: 22,
  totalCents: 5022,
  paymentId: "p1",
  number: 7,
  seller: { name: "Jornada Inc.", address: "1 Main St\nAustin", taxId: "12-3" },
  driverName: "Ana",
  paidAt: NOON,
  days: 7,
  status: "settled",
  tax: null,
  method: { type: "card", brand: "visa", last4: "4242" },
  refunds: [],
  refundedCents: 0,
};

/** The receipts of a link, as the server reads them. */
async function openLink(hash: string, ...read: readonly Reply[]) {
  const network = scriptNetwork();
  network.answer({ [READ]: read });
  return {
    ...network,
    ...(await renderPart(createElement(ReceiptLinkScreen, { hash }), { path: `/receipts#${hash}` })),
  };
}
const titles = () => screen.queryAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);

it("has a sheet for each receipt of a deleted account, and prints them at a press", async () => {
  const print = vi.fn<() => void>();
  vi.stubGlobal("print", print);
  const older = { ...RECEIPT, paymentId: "p0", number: 6, driverName: "" };
  const { user, calls, address } = await openLink(TOKEN, { body: { receipts: [RECEIPT, older] } });
  await user.click(await screen.findByRole("button", { name: PRINT }));
  expect([titles(), print.mock.calls.length]).toEqual([["Receipt 7", "Receipt 6"], 1]);
  expect(calls.map(({ headers }) => headers.get("authorization"))).toEqual([`Link ${TOKEN}`]);
  expect(address()).toBe("/receipts");
});

it.each<[what: string, hash: string, replies: readonly Reply[]]>([
  ["is malformed", "r".repeat(37), []],
  ["has expired", TOKEN, [refusalReply("undo_expired")]],
])("says of a link that %s that it is none any more, and leads to us", async (_, hash, replies) => {
  const { calls } = await openLink(hash, ...replies);
  expect((await screen.findByRole("alert")).textContent).toContain("expired or was already used");
  expect(screen.getByRole("link", { name: "Contact us" }).getAttribute("href")).toBe("/contact");
  expect([calls.length, titles()]).toEqual([replies.length, []]);
});

it("shows the receipts of the link that was opened last", async () => {
  await openLink(TOKEN, { body: { receipts: [RECEIPT] } });
  await expect.poll(titles).toEqual(["Receipt 7"]);
  cleanup();
  const { calls } = await openLink("s".repeat(38), { body: { receipts: [{ ...RECEIPT, number: 8 }] } });
  await expect.poll(titles).toEqual(["Receipt 8"]);
  expect(calls.map(({ headers }) => headers.get("authorization"))).toEqual([`Link ${"s".repeat(38)}`]);
});

/** The lines of one receipt. */
async function openReceipt(over: Partial<Receipt>, timeZone = RECORD.humanTimezone) {
  const { html } = await renderPart(createElement(ReceiptScreen, { payment: "p1" }), {
    answered: [
      [receiptQuery("p1").queryKey, { ...RECEIPT, ...over }],
      [userQuery.queryKey, { ...RECORD, humanTimezone: timeZone }],
    ],
  });
  expect(buttonNames()).toEqual([PRINT]);
  const lines = textsIn(html());
  return { lines, after: (title: string) => lines[lines.indexOf(title) + 1] };
}

it("says who sold what to whom, when and for how much", async () => {
  const { lines, after } = await openReceipt({});
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Receipt 7");
  expect(lines).toEqual(expect.arrayContaining(["Jornada Inc.", "1 Main St Austin", "Ana", "$50.22"]));
  expect(lines.some((line) => line.includes("12-3"))).toBe(true);
  expect(after("Payment method")).toBe("Visa ending in 4242");
});

it.each<[string, string]>([
  ["Pacific/Auckland", formatLongDate(NOON, "Pacific/Auckland")],
  ["America/Los_Angeles", formatLongDate(NOON, "America/Los_Angeles")],
])("has the day of the driver's own time zone: %s", async (zone, day) => {
  expect((await openReceipt({}, zone)).lines).toContain(day);
});

it.each<[method: Receipt["method"], words: string | undefined]>([
  [{ type: "card", brand: "amex", last4: "0005" }, "American Express ending in 0005"],
  [{ type: "card", brand: "a brand of tomorrow", last4: "1" }, "a brand of tomorrow ending in 1"],
  [{ type: "points", brand: null, last4: null }, "Points"],
  [{ type: "link", brand: null, last4: null }, "Link"],
  [{ type: "us_bank_account", brand: null, last4: null }, "Bank account"],
  [{ type: "sepa_debit", brand: null, last4: null }, "Bank account"],
  [{ type: "cash_app", brand: null, last4: null }, "cash app"],
])("names what was paid with: %j", async (method, words) => {
  expect((await openReceipt({ method })).after("Payment method")).toBe(words);
});

it("leaves out what isn't known", async () => {
  const { lines } = await openReceipt({
    method: null,
    driverName: "",
    seller: { name: "S", address: null, taxId: null },
  });
  expect(lines).not.toContain("Payment method");
  expect(lines).not.toContain("Ana");
});

it("says what went back, and what was kept, of money and of tax", async () => {
  const refunds = [
    { kind: "refund" as const, cents: 1000, at: NOON },
    { kind: "dispute" as const, cents: 4022, at: NOON + DAY_MS },
  ];
  const tax = { name: "Sales tax", millionths: 82_500, cents: 383, keptCents: 0 };
  await openReceipt({ refunds, refundedCents: 5022, tax });
  const back = within(screen.getByRole("region", { name: "Refunds" }));
  const lines = textsIn(back.getByRole("heading").parentElement?.innerHTML ?? "");
  expect(lines.filter((line) => line.includes("$"))).toEqual(["-$10.00", "-$40.22", "$0.00", "$0.00"]);
});

it("has the day of this device in a receipt of a deleted account, whose zone is gone", async () => {
  const { html } = await openLink(TOKEN, { body: { receipts: [RECEIPT] } });
  await expect.poll(() => textsIn(html())).toContain(formatLongDate(NOON, DEVICE_TIME_ZONE));
});
