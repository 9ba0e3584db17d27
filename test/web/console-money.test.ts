import { createElement } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DAY_MS } from "../../db/shapes/units.ts";
import type { JournalResponse } from "../../worker/contract/console/operator-money.ts";
import { journalQuery } from "../../web/console/calls/money.ts";
import { Books } from "../../web/console/money/books.tsx";
import { RevenueTables } from "../../web/console/money/money-tables.tsx";
import { htmlOf, type Answered } from "../support/console-part.ts";

beforeEach(() => {
  vi.stubGlobal("location", new URL("https://jornada.test/ops/money"));
  vi.stubGlobal("document", { documentElement: { dataset: {} }, cookie: "" });
});
afterEach(() => void vi.unstubAllGlobals());

const DAYS = { from: "2026-11-20", to: "2026-11-22" };
const books = (journal: Partial<JournalResponse>): Answered[] => [
  [
    journalQuery(DAYS).queryKey,
    { closedUntil: null, balance: [], lines: [], hasMore: false, revenue: [], ...journal },
  ],
];
/** The cells of each row of a table, the title row first. */
const rowsOf = (html: string, label: string) => {
  const table = new RegExp(`<table[^>]*aria-label="${label}".*?</table>`, "su").exec(html)?.[0] ?? "";
  return [...table.matchAll(/<tr.*?<\/tr>/gsu)].map(([row]) =>
    [...row.matchAll(/<t[hd].*?<\/t[hd]>/gsu)].map(([cell]) => cell.replaceAll(/<[^>]*>/gu, "")),
  );
};

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
