import { QueryClient } from "@tanstack/react-query";
import { createElement } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DAY_MS, driverId, HOUR_MS } from "../../../db/shapes/units.ts";
import type {
  DisputeInList,
  DisputesInList,
  JournalResponse,
  MoneyResponse,
  PaymentInList,
  PaymentsInList,
  RefundsInList,
} from "../../../worker/contract/console/operator-money.ts";
import {
  disputesQuery,
  journalQuery,
  moneyQuery,
  paymentsQuery,
  refundsQuery,
} from "../../../web/console/calls/money.ts";
import { Books } from "../../../web/console/money/books.tsx";
import { MoneyScreen } from "../../../web/console/money/money-screen.tsx";
import { RevenueTables } from "../../../web/console/money/money-tables.tsx";
import { DEVICE_TIME_ZONE } from "../../../web/features/language/format.ts";
import { NOON } from "../../engine/fixtures.ts";
import { clockAt, htmlOf, SUPPORT, type Answered } from "../../support/console-part.ts";
import { rowsOf } from "../../support/html-text.ts";

beforeEach(() => {
  vi.stubGlobal("location", new URL("https://jornada.test/ops/money"));
  vi.stubGlobal("document", { documentElement: { dataset: {} }, cookie: "" });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const DAYS = { from: "2026-11-20", to: "2026-11-22" };
const books = (journal: Partial<JournalResponse>): Answered[] => [
  [
    journalQuery(DAYS).queryKey,
    { closedUntil: null, balance: [], lines: [], hasMore: false, revenue: [], ...journal },
  ],
];

it("has debits and credits of each unit in columns of their own, and says whether they balance", () => {
  const balance = [
    { account: "stripe", unit: "USD", amount: 8_999 },
    { account: "service_owed", unit: "USD", amount: -8_999 },
    { account: "time_owed", unit: "ms", amount: -DAY_MS },
    { account: "time_given", unit: "ms", amount: 2 * DAY_MS },
    { account: "of a later release", unit: "points", amount: 40 },
  ];
  const html = htmlOf(createElement(Books, { days: DAYS }), books({ balance }));
  const tables = [...html.matchAll(/aria-label="(Trial balance: [^"]*)"/gu)].map(([, label]) => label ?? "");
  expect(tables.map((label) => rowsOf(html, label))).toEqual([
    [
      ["USD", "Debit", "Credit"],
      ["Stripe", "$89.99", ""],
      ["Service owed", "", "$89.99"],
    ],
    [
      ["Service time", "Debit", "Credit"],
      ["Service time owed", "", "1 day"],
      ["Service time given", "2 days", ""],
    ],
    [
      ["Points", "Debit", "Credit"],
      ["of a later release", "40", ""],
    ],
  ]);
  expect(html.match(/Debits and credits [^<]*/gu)).toEqual([
    "Debits and credits are equal.",
    "Debits and credits differ by 1 day.",
    "Debits and credits differ by 40.",
  ]);
});

it("says until which day the books are closed, and where not all lines are counted", () => {
  const noteOf = (journal: Partial<JournalResponse>) => {
    const html = htmlOf(createElement(Books, { days: DAYS }), books(journal));
    return html.match(/(?:Days up to|No day is)[^<.]*/gu);
  };
  expect([noteOf({}), noteOf({ closedUntil: "2026-11-19" })]).toEqual([
    ["No day is closed yet"],
    ["Days up to 2026-11-19 are closed and never change"],
  ]);
});

it("asks for money by the days and the place in a list", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (input: RequestInfo | URL) => {
    asked.push(String(input));
    return Response.json({
      rows: [],
      hasMore: false,
      cursor: asked.length < 3 ? "1.a" : null,
      closedUntil: null,
      balance: [],
      lines: [],
      currency: "USD",
      revenue: [],
      points: [],
      fees: { cents: 0, known: 0, payments: 0, disputeCents: 0 },
      drivers: { paying: 0, first: 0, returning: 0, lost: 0 },
    });
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const days = { ...DAYS, zone: "UTC" };
  await client.fetchInfiniteQuery({ ...paymentsQuery(days), pages: 2 });
  await client.fetchInfiniteQuery(refundsQuery(days));
  await client.fetchQuery(disputesQuery(days));
  await client.fetchQuery(moneyQuery(days));
  await client.fetchQuery(journalQuery(days));
  const [span, zone] = ["from=2026-11-20&to=2026-11-22", "&zone=UTC"];
  expect(asked).toEqual([
    `/ops/v1/money/payments?${span}${zone}`,
    `/ops/v1/money/payments?${span}${zone}&cursor=1.a`,
    `/ops/v1/money/refunds?${span}${zone}`,
    `/ops/v1/money/disputes?${span}${zone}`,
    `/ops/v1/money?${span}${zone}`,
    `/ops/v1/journal?${span}`,
  ]);
});

it("draws what was earned each day, in its color and its currency", () => {
  const revenue = [
    { day: "2026-11-20", currency: "USD", cents: 642 },
    { day: "2026-11-22", currency: "USD", cents: 658 },
    { day: "2026-11-21", currency: "EUR", cents: 100 },
  ];
  const html = htmlOf(createElement(Books, { days: DAYS }), books({ revenue }));
  expect(html.match(/bg-good/gu)).toHaveLength(2);
  expect(html.match(/[$€][\d.]+ in these days/gu)).toEqual(["$13.00 in these days", "€1.00 in these days"]);
});

it("has the income of each day and each plan, to the cent", () => {
  const line = { payments: 1, refundedCents: 0, disputedCents: 0 };
  const revenue = [
    { ...line, day: "2026-11-20", plan: "7days" as const, grossCents: 5_499, refundedCents: 1_000 },
    { ...line, day: "2026-11-20", plan: "14days" as const, grossCents: 8_999, disputedCents: 8_999 },
    { ...line, day: "2026-11-21", plan: "7days" as const, payments: 2, grossCents: 10_998 },
  ];
  const money = {
    currency: "USD",
    revenue,
    fees: { cents: 0, known: 0, payments: 0, disputeCents: 0 },
  };
  const html = htmlOf(createElement(RevenueTables, { money, nameOf: (title) => title }));
  const figures = ["Payments", "Paid", "Refunded", "Lost in disputes", "Net"];
  expect(rowsOf(html, "Revenue by day")).toEqual([
    ["Day", ...figures],
    ["Fri, Nov 20", "2", "$144.98", "$10.00", "$89.99", "$44.99"],
    ["Sat, Nov 21", "2", "$109.98", "$0.00", "$0.00", "$109.98"],
  ]);
  expect(rowsOf(html, "Revenue by plan")).toEqual([
    ["Plan", ...figures],
    ["7 days", "3", "$164.97", "$10.00", "$0.00", "$154.97"],
    ["14 days", "1", "$89.99", "$0.00", "$89.99", "$0.00"],
  ]);
});

const whose = { driverId: driverId.parse("driver-1"), name: "Ana", plan: "7days" as const, currency: "USD" };
const payment: PaymentInList = {
  ...whose,
  id: "payment-1",
  at: NOON,
  status: "partly_refunded",
  totalCents: 5_499,
  refundedCents: 1_000,
  processorFeeCents: 190,
  method: "card",
  receiptNumber: 1,
};
const dispute: DisputeInList = {
  ...whose,
  id: "dispute-1",
  paymentId: "payment-1",
  at: NOON,
  status: "needs_response",
  reason: "product_not_received",
  cents: 5_499,
  feeCents: 1_500,
  dueAt: NOON + HOUR_MS,
};

/** The screen at noon of a day of which the address names the span. */
function screenOf({
  refunds = { rows: [], cursor: null },
  payments = { rows: [], cursor: null },
  disputes = { rows: [], hasMore: false },
  money = {},
}: {
  refunds?: RefundsInList;
  payments?: PaymentsInList;
  disputes?: DisputesInList;
  money?: Partial<MoneyResponse>;
}) {
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  const days = { from: "2026-06-10", to: "2026-06-10", zone: DEVICE_TIME_ZONE };
  const whole: MoneyResponse = {
    currency: "USD",
    revenue: [],
    fees: { cents: 190, known: 1, payments: 2, disputeCents: 1_500 },
    others: [],
    points: [{ use: "plans", granted: 1_200, spent: 30 }],
    drivers: { paying: 4, first: 3, returning: 1, lost: 2 },
    ...money,
  };
  return htmlOf(
    createElement(MoneyScreen, { initialSearch: "?from=2026-06-10&to=2026-06-10" }),
    [
      [moneyQuery(days).queryKey, whole],
      [disputesQuery(days).queryKey, disputes],
      [refundsQuery(days).queryKey, { pages: [refunds], pageParams: [null] }],
      [paymentsQuery(days).queryKey, { pages: [payments], pageParams: [null] }],
    ],
    SUPPORT,
  );
}

it("lists each payment with its time, driver, status, sums and fee where that is known", () => {
  const unknown = { ...payment, id: "payment-2", name: null, processorFeeCents: null };
  const html = screenOf({ payments: { rows: [payment, unknown], cursor: null } });
  const sums = ["7 days", "Partially refunded", "$54.99", "$10.00"];
  expect(rowsOf(html, "Payments")).toEqual([
    ["When", "Driver", "Plan", "Status", "Amount", "Refunded", "Stripe's fee"],
    [clockAt(NOON), "Ana", ...sums, "$1.90"],
    [clockAt(NOON), "Account deleted", ...sums, ""],
  ]);
  expect(html.match(/<a href="[^"]*drivers[^"]*"[^>]*>[^<]*/gu)?.map((link) => link.split(">")[1])).toEqual([
    "Ana",
  ]);
});

it("lists each refund and lost dispute, and whether the money went back", () => {
  const refund = {
    ...whose,
    id: "back-1",
    at: NOON,
    kind: "refund" as const,
    cents: 1_000,
    totalCents: 5_499,
  };
  const html = screenOf({
    refunds: {
      rows: [
        { ...refund, isEffective: true },
        { ...refund, id: "back-2", isEffective: false },
        { ...refund, id: "back-3", kind: "dispute", cents: 5_499, isEffective: true },
      ],
      cursor: null,
    },
  });
  const row = (what: string, amount: string) => [clockAt(NOON), "Ana", what, "7 days", amount, "$54.99"];
  expect(rowsOf(html, "Refunds")).toEqual([
    ["When", "Driver", "What", "Plan", "Amount", "Of"],
    row("Refund", "$10.00"),
    row("Refund that failed", "$10.00"),
    row("Lost dispute", "$54.99"),
  ]);
});

it("lists each dispute with its deadline, which stands out in its last three days, and what to do", () => {
  const rows = [
    dispute,
    { ...dispute, id: "dispute-2", dueAt: NOON - HOUR_MS },
    { ...dispute, id: "dispute-3", dueAt: NOON + 3 * DAY_MS },
    { ...dispute, id: "dispute-4", dueAt: null, status: "lost" as const },
  ];
  const html = screenOf({ disputes: { rows, hasMore: true } });
  const facts = ["product not received", "$15.00", clockAt(NOON)];
  const far = `${new Date(NOON + 3 * DAY_MS).toLocaleDateString("en-US", { weekday: "short" })} ${clockAt(NOON)}`;
  expect(rowsOf(html, "Disputes").slice(1)).toEqual([
    [clockAt(NOON + HOUR_MS), "Ana", "$54.99", "Send evidence in Stripe's dashboard.", ...facts],
    [clockAt(NOON - HOUR_MS), "Ana", "$54.99", "The deadline has passed. See Stripe's dashboard.", ...facts],
    [far, "Ana", "$54.99", "Send evidence in Stripe's dashboard.", ...facts],
    ["", "Ana", "$54.99", "Lost: the disputed money is gone.", ...facts],
  ]);
  expect(html.match(/text-bad">[^<]*/gu)).toHaveLength(2);
  expect(html).toContain("Only the first 4 are listed.");
});

it("offers more rows only where there are more", () => {
  const countOf = (cursor: string | null) =>
    screenOf({ payments: { rows: [payment], cursor } }).match(/Show more/gu)?.length ?? 0;
  expect([countOf(null), countOf("1.payment-1")]).toEqual([0, 1]);
});

it("sums up the money and the drivers of its days, each currency and the points apart", () => {
  const line = { day: "2026-06-10", plan: "7days" as const, payments: 1 };
  const revenue = [{ ...line, grossCents: 5_499, refundedCents: 1_000, disputedCents: 499 }];
  const fees = { cents: 0, known: 0, payments: 0, disputeCents: 0 };
  const html = screenOf({ money: { revenue, others: [{ currency: "EUR", revenue, fees }] } });
  const figuresOf = (id: string) => {
    const list = new RegExp(`<dl[^>]*data-testid="${id}".*?</dl>`, "su").exec(html)?.[0] ?? "";
    return [...list.matchAll(/<dd class="figures[^>]*>([^<]*)/gu)].map(([, figure]) => figure);
  };
  expect([figuresOf("money"), figuresOf("money-EUR"), figuresOf("drivers")]).toEqual([
    ["$40.00", "$54.99", "$10.00", "$4.99", "$1.90"],
    ["€40.00", "€54.99", "€10.00", "€4.99", "€0.00"],
    ["4", "3", "1", "2"],
  ]);
  expect(rowsOf(html, "Revenue by plan (EUR)")[1]).toEqual([
    "7 days",
    "1",
    "€54.99",
    "€10.00",
    "€4.99",
    "€40.00",
  ]);
  expect(rowsOf(html, "Points")[1]?.slice(1)).toEqual(["1,200", "30"]);
});
