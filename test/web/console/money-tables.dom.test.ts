import { screen } from "@testing-library/react";
import { createElement } from "react";
import { expect, it, vi } from "vitest";
import { keysOf } from "../../../web/console/money/money-days.ts";
import { RevenueTables } from "../../../web/console/money/money-tables.tsx";
import { OWNER } from "../../support/console-part.ts";
import { rowsOf } from "../../support/html-text.ts";
import { renderPart } from "../../support/rendered-part.ts";

it("names each day of a span, across the ends of months and years", () => {
  expect(keysOf({ from: "2026-12-30", to: "2027-01-02" })).toEqual([
    "2026-12-30",
    "2026-12-31",
    "2027-01-01",
    "2027-01-02",
  ]);
  expect(keysOf({ from: "2028-02-28", to: "2028-03-01" })).toHaveLength(3);
});

it.each([
  [14, 14, false],
  [15, 14, true],
])("lists of %i days the first %i, and all at a press", async (count, shown, hasMore) => {
  const days = keysOf({ from: "2026-11-01", to: `2026-11-${count}` });
  const line = { plan: "7days" as const, payments: 1, grossCents: 5_499, refundedCents: 0, disputedCents: 0 };
  const fees = { cents: 0, known: 0, payments: 0, disputeCents: 0 };
  const money = { currency: "USD", revenue: days.map((day) => ({ ...line, day })), fees };
  const { html, user } = await renderPart(createElement(RevenueTables, { money, nameOf: (title) => title }), {
    operator: OWNER,
  });
  const rows = () => rowsOf(html(), "Revenue by day").length - 1;
  const more = screen.queryByRole("button", { name: "Show all days" });
  expect([rows(), more !== null]).toEqual([shown, hasMore]);
  if (more) await user.click(more);
  expect([rows(), screen.queryByRole("button", { name: "Show all days" })]).toEqual([count, null]);
});

it("names the currency of revenue in its files: there is one of each", async () => {
  const line = { plan: "7days" as const, payments: 1, grossCents: 5_499, refundedCents: 0, disputedCents: 0 };
  const fees = { cents: 0, known: 0, payments: 0, disputeCents: 0 };
  const money = { currency: "EUR", revenue: [{ ...line, day: "2026-11-01" }], fees };
  const names: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  const { user } = await renderPart(createElement(RevenueTables, { money, nameOf: (title) => title }), {
    operator: OWNER,
  });
  for (const button of screen.getAllByRole("button", { name: /^CSV/ })) await user.click(button);
  click.mockRestore();
  expect(names).toEqual(["revenue-EUR.csv", "revenue-by-plan-EUR.csv"]);
});
