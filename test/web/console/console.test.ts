import { readFileSync } from "node:fs";
import { createElement } from "react";
import { describe, expect, it } from "vitest";
import type { ActEntry } from "../../../worker/contract/console/operators.ts";
import type { PaymentLine } from "../../../worker/contract/console/operator-drivers.ts";
import { formatFacts } from "../../../web/console/acts/act-labels.ts";
import { ActTable } from "../../../web/console/acts/act-table.tsx";
import { parseAct, type ActInput } from "../../../web/console/acts/act-form.ts";
import { parseAmount, parseChange } from "../../../web/console/forms/typed-values.ts";
import {
  parseCitySpots,
  parseListPrice,
  parseLocalTime,
  parseSale,
  toLocalTime,
  type SaleInput,
} from "../../../web/console/forms/deployment-forms.ts";
import { searchQuery } from "../../../web/console/calls/drivers.ts";
import { CONSOLE_PATHS, pageAt } from "../../../web/console/console-page.ts";
import { DONE, readPart } from "../../support/console-part.ts";

describe("the console's addresses", () => {
  it.each([
    ["/ops", "", { screen: "fleet", list: null, span: "day" }],
    ["/ops/", "", { screen: "fleet", list: null, span: "day" }],
    ["/ops/fleet", "?in=stale&span=week", { screen: "fleet", list: "stale", span: "week" }],
    ["/ops/fleet", "?in=waiting", { screen: "fleet", list: "waiting", span: "day" }],
    ["/ops/fleet", "?in=all&span=year", { screen: "fleet", list: null, span: "day" }],
    ["/ops/drivers", "", { screen: "drivers", query: "" }],
    ["/ops/drivers", "?q=%2B1+555", { screen: "drivers", query: "+1 555" }],
    ["/ops/drivers/4711-a", "", { screen: "driver", driverId: "4711-a" }],
    ["/ops/prices", "", { screen: "prices" }],
    ["/ops/cities/", "", { screen: "cities" }],
    ["/ops/log", "", { screen: "log" }],
    ["/ops/voice", "", { screen: "voice" }],
    ["/ops/drivers/4711/more", "", { screen: "unknown" }],
    ["/ops/drivers/%20", "", { screen: "unknown" }],
    ["/ops/elsewhere", "", { screen: "unknown" }],
  ])("%s%s", (pathname, search, page) => {
    expect(pageAt({ pathname, search })).toEqual(page);
  });

  it("keep what was typed into the search, without the spaces around it", () => {
    expect(["", "  ", " a&b "].map(CONSOLE_PATHS.driversLike)).toEqual([
      "/ops/drivers",
      "/ops/drivers",
      "/ops/drivers?q=a%26b",
    ]);
  });
});

it("searches from two letters on", () => {
  expect(["", "a", "an", "ana"].map((typed) => searchQuery(typed).enabled)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

it("tells the facts of an act in a line: names and sums, no ids, and that days stay only where they do", () => {
  const format = (facts: Parameters<typeof formatFacts>[0]) =>
    formatFacts(facts, { currency: "USD", now: 0 });
  expect([
    format({ plan: "7days", cents: 5_022, days: 1_200, paymentId: "pay_1", reason: null, keepsDays: true }),
    format({ status: "refunded", keepsDays: false, isForgiven: true }),
  ]).toEqual(["7 days, $50.22, 1,200, The driver keeps days and points", "refunded"]);
});

it("tells the words of an act's facts as the screens name them, and those of a later release as they are", () => {
  const format = (facts: Parameters<typeof formatFacts>[0]) =>
    formatFacts(facts, { currency: "USD", now: 0 });
  expect([
    format({ asked: "change_number", end: "0100", checks: "last_payment, video_call" }),
    format({ table: "refunds" }),
    format({ table: "driver", part: "sessions" }),
    format({ audience: "language", audienceOf: "pt" }),
    format({ audience: "all", audienceOf: null }),
    format({ asked: "of_later", table: "constructor", checks: "of_later" }),
  ]).toEqual([
    "Change number, 0100, Date and amount of the last payment, Face and ID in a video call",
    "Refunds",
    "Driver, Signed in on",
    "One language, Português",
    "All drivers",
    "of_later, constructor, of_later",
  ]);
});

it("names who acted also on a phone, where the log has no column of it", () => {
  const told = readPart(createElement(ActTable, { acts: [DONE.act] })).join("\n");
  expect(told.split(DONE.act.operator)).toHaveLength(3);
});

it("tells instants in the facts of an act as such, by whatever name", () => {
  const at = Date.parse("2026-11-21T12:00:00Z");
  const shown = (facts: Parameters<typeof formatFacts>[0]) =>
    formatFacts(facts, { currency: "USD", now: at });
  const time = shown({ endsAt: at });
  expect(time).toMatch(/\d:\d\d/);
  expect([
    shown({ serviceUntil: at }),
    shown({ wrong: 12, lockedUntil: at }),
    shown({ wrong: 3, lockedUntil: null }),
    shown({ heldSince: at }),
  ]).toEqual([time, `12, ${time}`, "3", time]);
});

it("tells a refund in the currency of its payment, also where the deployment has another by now", () => {
  const refund: ActEntry = {
    ...DONE.act,
    act: "refund",
    what: { cents: 1_250, keepsDays: false },
    before: { refundedCents: 0, currency: "EUR" },
    after: { refundedCents: 1_250, currency: "EUR" },
  };
  const told = readPart(createElement(ActTable, { acts: [refund] })).join("\n");
  expect(told).toContain("€12.50");
  expect(told).not.toMatch(/\$|EUR/);
});

describe("the input of an act's form", () => {
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

  const checks = {
    platform_email: true,
    last_payment: false,
    last_block: true,
    warehouses: false,
    video_call: false,
  };
  const input: ActInput = {
    figure: "3",
    keepsDays: false,
    plan: "7days",
    forDays: "2",
    checks,
    reason: " a gift ",
  };

  it("changes a number as it was typed, after two checks", () => {
    const typed = { ...input, figure: "(555) 010-0144" };
    expect(parseAct({ act: "change_number" }, typed, 0)).toEqual({
      act: {
        act: "change_number",
        phoneNumber: "+15550100144",
        checks: ["platform_email", "last_block"],
        reason: "a gift",
      },
    });
    const wrong = { ...typed, figure: "555", checks: { ...checks, last_block: false } };
    expect(parseAct({ act: "change_number" }, wrong, 0)).toEqual({
      issues: { figure: "phone", reason: "checks" },
    });
  });

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
    for (const act of ["days", "points"] as const)
      expect(parseAct({ act }, nothing, 0)).toEqual({ issues: { figure: "number", reason: "reason" } });
    expect(parseAct({ act: "refund", payment: { id: "p" } as PaymentLine }, nothing, 0)).toEqual({
      issues: { figure: "amount", reason: "reason" },
    });
  });
});

describe("the input of the deployment's forms", () => {
  const sale: SaleInput = {
    plan: "14days",
    price: "69.99",
    from: "2026-11-27T00:00",
    to: "2026-11-30T00:00",
    reason: "Friday",
  };

  it("becomes a sale between two instants of the device's zone", () => {
    expect(parseSale(sale)).toEqual({
      act: {
        act: "sale",
        plan: "14days",
        priceCents: 6999,
        startsAt: new Date(2026, 10, 27).getTime(),
        endsAt: new Date(2026, 10, 30).getTime(),
        reason: "Friday",
      },
    });
    expect(toLocalTime(parseLocalTime("2026-11-27T09:30") ?? 0)).toBe("2026-11-27T09:30");
  });

  it.each([
    "",
    "2026-11-27",
    "2026-11-27T09:30:00",
    "2026-11-27T09:30Z",
    " 2026-11-27T09:30",
    "+002026-11-27T09:30",
    "2026-13-27T09:30",
  ])("%o is no time of its fields", (typed) => {
    expect(parseLocalTime(typed)).toBeNull();
  });

  it("is no sale where it ends before it begins, or says too little", () => {
    expect(parseSale({ ...sale, to: sale.from })).toEqual({ issues: { to: true } });
    expect(parseSale({ ...sale, to: "2026-11-27T00:01" })).toMatchObject({ act: { act: "sale" } });
    expect(parseSale({ ...sale, price: "", from: "", reason: "" })).toEqual({
      issues: { price: true, from: true, reason: true },
    });
  });

  it.each(["price", "from", "to", "reason"] as const)("is no sale without its %s", (field) => {
    expect(parseSale({ ...sale, [field]: "" })).toEqual({ issues: { [field]: true } });
  });

  it("becomes a list price, at once or from an instant on", () => {
    const price = { plan: "7days" as const, price: "54.99", from: "", reason: "a new year" };
    const act = { act: "list_price", plan: "7days", priceCents: 5499, startsAt: null, reason: "a new year" };
    expect(parseListPrice(price)).toEqual({ act });
    expect(parseListPrice({ ...price, from: "2027-01-01T00:00" })).toEqual({
      act: { ...act, startsAt: new Date(2027, 0, 1).getTime() },
    });
    expect(parseListPrice({ ...price, price: "a", from: "2027", reason: "" })).toEqual({
      issues: { price: true, from: true, reason: true },
    });
    const wrong = { price: "a", from: "2027", reason: "" };
    for (const [field, typed] of Object.entries(wrong))
      expect(parseListPrice({ ...price, [field]: typed })).toEqual({ issues: { [field]: true } });
  });

  it("becomes a number of spots, or no limit", () => {
    const spots = { city: "Boise", spots: "", reason: "more room" };
    expect(parseCitySpots(spots)).toEqual({
      act: { act: "city_spots", city: "Boise", spots: null, reason: "more room" },
    });
    expect(parseCitySpots({ ...spots, spots: " 12 " })).toMatchObject({ act: { spots: 12 } });
    expect(parseCitySpots({ ...spots, spots: "5.5", reason: "" })).toEqual({
      issues: { spots: true, reason: true },
    });
    expect(parseCitySpots({ ...spots, spots: "999999" })).toMatchObject({ act: { spots: 999_999 } });
    for (const typed of ["5.5", "-1", "1000000", "12 a", "a 12"])
      expect(parseCitySpots({ ...spots, spots: typed })).toEqual({ issues: { spots: true } });
    expect(parseCitySpots({ ...spots, reason: "" })).toEqual({ issues: { reason: true } });
  });
});

it("the console has every word in three languages, with the same inputs", () => {
  type Forms = { match: Record<string, string> };
  const read = (locale: string): Record<string, string | Forms[]> =>
    JSON.parse(readFileSync(new URL(`../../../locales/console/${locale}.json`, import.meta.url), "utf8"));
  /** A message's text, or that of each of its plural forms, by message and form. */
  const textsOf = (locale: string) =>
    Object.entries(read(locale)).flatMap(([key, message]) =>
      typeof message === "string"
        ? [{ key, text: message }]
        : message.flatMap(({ match }) =>
            Object.entries(match).map(([form, text]) => ({ key: `${key} ${form}`, text })),
          ),
    );
  const inputsOf = (locale: string) =>
    Object.fromEntries(
      textsOf(locale).map(({ key, text }) => [key, [...text.matchAll(/\{\w+\}/g)].map(String).toSorted()]),
    );
  const english = inputsOf("en");
  for (const locale of ["es", "pt"]) {
    expect(inputsOf(locale)).toEqual(english);
    expect(textsOf(locale).filter(({ text }) => text.trim() === "")).toEqual([]);
  }
});
