import { createElement } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LogEntry } from "../../../db/shapes/log/driver-log.ts";
import { attemptId, driverId, HOUR_MS } from "../../../db/shapes/units.ts";
import type { Snapshot } from "../../../db/shapes/work/live.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import type { DriverPage } from "../../../worker/contract/console/operator-drivers.ts";
import { ActSheet } from "../../../web/console/acts/act-sheet.tsx";
import { liveQuery, searchQuery } from "../../../web/console/calls/drivers.ts";
import { DriverRenewal } from "../../../web/console/drivers/driver-account.tsx";
import { DriverFacts } from "../../../web/console/drivers/driver-screen.tsx";
import { ServiceLines } from "../../../web/console/drivers/driver-ledgers.tsx";
import { DriverLive, liveCsv, liveOffers } from "../../../web/console/drivers/driver-live.tsx";
import { DriverPayments } from "../../../web/console/drivers/driver-payments.tsx";
import { DriversScreen } from "../../../web/console/drivers/drivers-screen.tsx";
import { makeBlock, makeOffer, makeWarehouse, NOON } from "../../engine/fixtures.ts";
import { clockAt, htmlOf, readPart, type Answered } from "../../support/console-part.ts";
import { rowsOf } from "../../support/html-text.ts";
import { ANA, DRIVER, DRIVER_PAGE } from "./driver-fixture.ts";

beforeEach(() => void vi.stubGlobal("location", new URL("https://jornada.test/ops/drivers")));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("drivers", () => {
  const facts = (isMasked: boolean, shown: { phoneNumber: string; preferredPhoneNumber: null } | null) =>
    readPart(
      createElement(DriverFacts, {
        page: { ...DRIVER_PAGE, driver: { ...DRIVER, isMasked } },
        shown,
        onAct: () => {},
      }),
    );

  it("show a masked number on request, and offer that only while it is masked", () => {
    expect(facts(true, null)).toEqual(expect.arrayContaining(["Show"]));
    const shown = { phoneNumber: "+15550100100", preferredPhoneNumber: null };
    expect(facts(true, shown)).toEqual(expect.arrayContaining(["+1 (555) 010-0100"]));
    for (const whole of [facts(true, shown), facts(false, null)]) expect(whole).not.toContain("Show");
  });

  it("are searched without an error where none occurred", () => {
    const screen = createElement(DriversScreen, { initialQuery: "an" });
    const alerts = (answered: Answered[]) => htmlOf(screen, answered).match(/role="alert"/gu);
    expect(alerts([[searchQuery("an").queryKey, { drivers: [], hasMore: false }]])).toBeNull();
  });

  it("are listed by what was typed, with a line where there are more", () => {
    const { id, name, phone, flexEmail, humanRegion, isLinked, isSwitchedOn, createdAt } = DRIVER;
    const found = { id, name, phone, flexEmail, humanRegion, isLinked, isSwitchedOn, createdAt };
    const screen = (hasMore: boolean) =>
      readPart(createElement(DriversScreen, { initialQuery: "an" }), [
        [searchQuery("an").queryKey, { drivers: [found], hasMore }],
      ]);
    const more = "Only the first 1 are listed. Type more.";
    expect(screen(true)).toEqual(expect.arrayContaining(["Ana", more]));
    expect(screen(false)).toContain("Ana");
    expect(screen(false)).not.toContain(more);
  });

  it("have what identifies them and their state in the list", () => {
    const { id, name, flexEmail, humanRegion, isLinked, isSwitchedOn, createdAt } = DRIVER;
    const one = {
      id,
      name,
      phone: "+15550100100",
      flexEmail,
      humanRegion,
      isLinked,
      isSwitchedOn,
      createdAt,
    };
    const drivers = [
      { ...one, flexEmail: "ana@example.com" },
      { ...one, id: driverId.parse("driver-2"), humanRegion: null, isSwitchedOn: false },
      { ...one, id: driverId.parse("driver-3"), isLinked: false },
    ];
    const html = htmlOf(createElement(DriversScreen, { initialQuery: "an" }), [
      [searchQuery("an").queryKey, { drivers, hasMore: false }],
    ]);
    const [who, joined] = [["Ana", "+1 (555) 010-0100"], "June 10, 2026"];
    expect(rowsOf(html, "Drivers")).toEqual([
      ["Name", "Phone", "Platform email", "Region", "State", "Registered"],
      [...who, "ana@example.com", "New York", "On", joined],
      [...who, "", "", "Off", joined],
      [...who, "", "New York", "Not linked", joined],
    ]);
    expect([...html.matchAll(/href="([^"]*drivers\/[^"]*)"/gu)].map(([, path]) => path)).toEqual([
      "/ops/drivers/driver-1",
      "/ops/drivers/driver-2",
      "/ops/drivers/driver-3",
    ]);
  });

  it("have payments that can be checked, given back, or neither, and prices that can be ended", () => {
    vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
    const payment: DriverPage["payments"][number] = {
      id: "payment-1",
      plan: "7days",
      status: "settled",
      method: "card",
      methodBrand: "Visa",
      methodLast4: "4242",
      totalCents: 5_022,
      refundedCents: 500,
      orderedCents: 0,
      refundableCents: 4_522,
      currency: "USD",
      canCheck: false,
      receiptNumber: null,
      at: NOON,
    };
    const payments: DriverPage["payments"] = [
      payment,
      { ...payment, id: "payment-2", orderedCents: 4_522, refundableCents: 0, methodBrand: null },
      {
        ...payment,
        id: "payment-3",
        status: "processing",
        canCheck: true,
        method: null,
        methodBrand: null,
        methodLast4: null,
      },
    ];
    const prices = [
      { id: "price-1", plan: "7days" as const, priceCents: 4_000, startsAt: NOON, endsAt: NOON },
    ];
    const screen = (shown: Partial<DriverPage>) =>
      htmlOf(createElement(DriverPayments, { page: { ...DRIVER_PAGE, ...shown }, onAct: () => {} }));
    const html = screen({ payments, prices });
    const [when, sums] = [clockAt(NOON), ["$50.22", "$5.00"]];
    expect(rowsOf(html, "Payments").slice(1)).toEqual([
      // Beside the date, where a phone shows it.
      [when, "Refund", "7 days", "Paid", "Visa •••• 4242", ...sums],
      [when, "", "7 days", "Paid", "card •••• 4242", "$50.22", "$5.00$45.22 under way"],
      [when, "Look at Stripe now", "7 days", "Processing", "", ...sums],
    ]);
    expect(rowsOf(html, "Special prices").slice(1)).toEqual([["7 days", "$40.00", when, "End"]]);
    const figures = [...html.matchAll(/<th [^>]*text-right[^>]*>([^<]*)/gu)].map(([, title]) => title);
    expect(figures).toEqual(["Price", "Refunded", "Price"]);
    expect(rowsOf(screen({ payments: [payment] }), "Special prices")).toEqual([]);
  });

  it("show each offer of their dashboard once, with what became of it", () => {
    const [taken, skipped] = [makeOffer("a"), makeOffer("b", { startsAt: NOON + 9 * HOUR_MS })];
    const judged = (offer: Offer): LogEntry => ({
      seq: 1,
      event: {
        kind: "offer_judged",
        at: NOON,
        offer,
        reasons: [{ code: "price_below_minimum", rule: 9_000, offer: 6_000 }],
        filtersVersion: 1,
      },
    });
    const won: LogEntry = {
      seq: 2,
      event: {
        kind: "attempt_settled",
        at: NOON,
        attempt: {
          attemptId: attemptId.parse("0123456789abc-0"),
          offer: taken,
          place: null,
          payAtLeastCents: taken.payCents,
          createdAt: NOON,
          endedAt: NOON,
          outcome: { status: "won", block: makeBlock(taken) },
        },
      },
    };
    const snapshot: Snapshot = {
      seq: 2,
      at: NOON,
      phase: { kind: "polling" },
      switchedOn: true,
      isLinked: true,
      mode: "secure",
      specialMode: null,
      filtersVersion: 1,
      serviceUntil: null,
      lastPollAt: NOON,
      timeZone: "America/New_York",
      warehouses: [makeWarehouse()],
      held: [],
      questions: [],
      today: { captured: 1, passedOver: 1, gone: 0, capturedCents: 6_000 },
      won: [won],
      feed: [won, judged(skipped), judged(taken)],
    };
    const read = (fields: Partial<Snapshot>) =>
      readPart(createElement(DriverLive, { driverId: ANA }), [
        [liveQuery(ANA).queryKey, { snapshot: { ...snapshot, ...fields }, failure: null }],
      ]);
    const live = read({});
    const outcomes = live.filter((text) => text === "Captured" || text === "Pays less than your minimum");
    expect(outcomes).toEqual(["Captured", "Pays less than your minimum"]);
    const cells = liveOffers(snapshot).map((item) => liveCsv(snapshot, NOON).map(({ value }) => value(item)));
    const facts = ["Bethpage (DNY4)", "2026-06-10 19:00:00", 90, "USD"];
    expect(liveCsv(snapshot, NOON).map(({ title }) => title)).toEqual([
      "When (UTC)",
      "Warehouse",
      "Offer (UTC)",
      "Pay",
      "Currency",
      "Outcome",
    ]);
    expect(cells).toEqual([
      ["2026-06-10 16:00:00", ...facts, "Captured"],
      ["2026-06-10 16:00:00", ...facts.with(1, "2026-06-11 01:00:00"), "Pays less than your minimum"],
    ]);
    const NEVER = "Not checked yet";
    const NONE = "Offers and the reasons for each show up here while the driver is on.";
    const has = (texts: readonly string[]) => [texts.includes(NEVER), texts.includes(NONE)];
    expect([has(live), has(read({ lastPollAt: null, won: [], feed: [] }))]).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(live).toContain("Today: 1 captured, 1 skipped, 0 missed");
  });

  const renewal: NonNullable<DriverPage["renewal"]> = {
    status: "on",
    pause: null,
    plan: "7days",
    currency: "USD",
    capCents: 5_000,
    card: { type: "card", brand: "Visa", last4: "4242" },
    chargeAt: null,
  };
  const renewalOf = (fields: Partial<typeof renewal>) =>
    readPart(
      createElement(DriverRenewal, {
        page: { ...DRIVER_PAGE, renewal: { ...renewal, ...fields } },
        onAct: () => {},
      }),
    );

  it.each([
    ["over_cap", "over the cap"],
    ["needs_bank", "the bank wants a confirmation"],
    ["declined", "the card was declined"],
    ["method_gone", "no card"],
    ["plan_gone", "the plan is not sold"],
    ["not_served", "no service"],
    ["failed", "the charge failed"],
    ["card_disputed", "the card was disputed"],
    ["untold", "no notice arrived"],
    ["refunded", "refunded"],
  ] as const)("have a paused renewal with its reason: %s", (pause, words) => {
    const facts = `Paused, ${words}, 7 days, at most $50.00, Visa •••• 4242`;
    expect(renewalOf({ status: "paused", pause })).toContain(facts);
  });

  it("have a renewal that can be ended unless it is off, with the next charge where there is one", () => {
    vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
    const facts = (status: typeof renewal.status) => {
      const [, ...texts] = renewalOf({
        status,
        plan: "other",
        card: { type: "link", brand: null, last4: null },
        chargeAt: NOON,
      });
      return texts;
    };
    const rest = `at most $50.00, link, next charge ${clockAt(NOON)}`;
    expect([facts("on"), facts("off"), facts("other")]).toEqual([
      ["End renewal", `On, ${rest}`],
      [`Off, ${rest}`],
      ["End renewal", `Off, ${rest}`],
    ]);
    expect(readPart(createElement(DriverRenewal, { page: DRIVER_PAGE, onAct: () => {} }))).toEqual([]);
  });

  it("have a ledger of service time whose lines say what was added, taken, or neither", () => {
    vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
    const lines = [
      { source: "payment", appliedMs: 7 * 24 * HOUR_MS, at: NOON },
      { source: "pause", appliedMs: -HOUR_MS, at: NOON },
      { source: "operator", appliedMs: 0, at: NOON },
    ];
    const cells = readPart(
      createElement(ServiceLines, { page: { ...DRIVER_PAGE, service: { until: null, unusedMs: 0, lines } } }),
    );
    expect(cells.filter((text) => text === clockAt(NOON))).toHaveLength(3);
    expect(cells.filter((text) => /^[+\-0]/u.test(text))).toEqual(["+7 days", "-1 hr", "0"]);
  });

  it("get a new number by a form that asks for it", () => {
    const sheet = createElement(ActSheet, {
      draft: { act: "change_number" },
      page: DRIVER_PAGE,
      onClose: () => {},
      onPhones: () => {},
    });
    expect(readPart(sheet)).toContain("New phone number");
    expect(htmlOf(sheet)).toMatch(/<input[^>]*name="figure"/u);
  });

  it("have a line below each table of their page that goes on, and below no other", () => {
    const note = "Only the latest 1 are here and in the file.";
    const lines = [{ source: "payment", appliedMs: 86_400_000, at: NOON }];
    const read = (cut: string[]) =>
      readPart(
        createElement(ServiceLines, {
          page: { ...DRIVER_PAGE, cut, service: { until: null, unusedMs: 0, lines } },
        }),
      );
    expect(read(["service"])).toContain(note);
    expect(read(["payments", "acts"])).not.toContain(note);
  });
});
