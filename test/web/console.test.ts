import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { PaymentLine } from "../../worker/contract/operators.ts";
import { parseAct, type ActInput } from "../../web/console/act-form.ts";
import { parseAmount, parseChange } from "../../web/console/amounts.ts";
import { pageAt } from "../../web/console/console-page.ts";

describe("the console's addresses", () => {
  it.each([
    ["/ops", "", { screen: "drivers", query: "" }],
    ["/ops/", "", { screen: "drivers", query: "" }],
    ["/ops/drivers", "?q=%2B1+555", { screen: "drivers", query: "+1 555" }],
    ["/ops/drivers/4711-a", "", { screen: "driver", driverId: "4711-a" }],
    ["/ops/log", "", { screen: "log" }],
    ["/ops/drivers/4711/more", "", { screen: "unknown" }],
    ["/ops/drivers/%20", "", { screen: "unknown" }],
    ["/ops/elsewhere", "", { screen: "unknown" }],
  ])("%s%s", (pathname, search, page) => {
    expect(pageAt({ pathname, search })).toEqual(page);
  });
});

describe("what is typed into an act's form", () => {
  it.each([
    ["12", 1200],
    ["12.5", 1250],
    [" 12,50 ", 1250],
    ["0.07", 7],
    ["12.505", null],
    ["-3", null],
    ["", null],
  ])("%o is this many cents", (typed, cents) => {
    expect(parseAmount(typed)).toBe(cents);
  });

  it.each([
    ["3", 3],
    ["+3", 3],
    ["−3", -3],
    ["0", null],
    ["1.5", null],
    ["", null],
  ])("%o is this change", (typed, change) => {
    expect(parseChange(typed)).toBe(change);
  });

  const input: ActInput = { figure: "3", keepsDays: false, plan: "7days", forDays: "2", reason: " a gift " };

  it("becomes the act", () => {
    expect(parseAct({ act: "days" }, input, 0)).toEqual({ act: { act: "days", days: 3, reason: "a gift" } });
    expect(parseAct({ act: "refund", payment: { id: "p" } as PaymentLine }, input, 0)).toEqual({
      act: { act: "refund", paymentId: "p", cents: 300, keepsDays: false, reason: "a gift" },
    });
    expect(parseAct({ act: "special_price" }, input, 1000)).toEqual({
      act: { act: "special_price", plan: "7days", priceCents: 300, endsAt: 172_801_000, reason: "a gift" },
    });
    expect(parseAct({ act: "sign_out" }, input, 0)).toEqual({ act: { act: "sign_out", reason: "a gift" } });
  });

  it("says all that is wrong at once", () => {
    const nothing = { ...input, figure: "", forDays: "", reason: "  a " };
    expect(parseAct({ act: "special_price" }, nothing, 0)).toEqual({
      issues: { figure: "amount", forDays: "number", reason: "reason" },
    });
  });
});

it("the console has every word in three languages, with the same inputs", () => {
  const read = (locale: string): Record<string, string> =>
    JSON.parse(readFileSync(new URL(`../../locales/console/${locale}.json`, import.meta.url), "utf8"));
  const inputsOf = (words: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(words).map(([key, text]) => [
        key,
        [...text.matchAll(/\{\w+\}/g)].map(String).toSorted(),
      ]),
    );
  const english = inputsOf(read("en"));
  for (const locale of ["es", "pt"]) expect(inputsOf(read(locale))).toEqual(english);
  expect(Object.values(read("en")).filter((text) => text.trim() === "")).toEqual([]);
});
