import { createElement } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { driverId } from "../../../db/shapes/units.ts";
import type { Attention } from "../../../worker/contract/console/fleet.ts";
import { boundMessage } from "../../../web/console/forms/typed-values.ts";
import { AttentionList } from "../../../web/console/fleet/fleet-attention.tsx";
import { SalePreview } from "../../../web/console/prices/price-preview.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { clockAt, htmlOf, OWNER, readPart } from "../../support/console-part.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  vi.stubGlobal("location", new URL("https://jornada.test/ops/fleet"));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const since = clockAt(NOON);
const DRIVER = driverId.parse("driver-1");
const money = (alert: string): Attention => ({ kind: "money", alert, driverId: DRIVER, since: NOON });
const texts = (alert: string): Attention => ({ kind: "texts", alert, reason: "a reason", since: NOON });

describe("a subject that needs an operator", () => {
  it.each<[Attention, text: string, link: string, href: string]>([
    [
      { kind: "stale", drivers: 2 },
      "Drivers who are on and not served: 2. Their system did not wake in time.",
      "Show who",
      "/ops/fleet?in=stale#list",
    ],
    [
      { kind: "failing", drivers: 3, failure: "TypeError" },
      "Drivers who are on and not served: 3. Their system fails when it is woken: TypeError",
      "Show who",
      "/ops/fleet?in=failing#list",
    ],
    [
      { kind: "signed_out", drivers: 4 },
      "Signed out by the platform within the last hour: 4",
      "Show who",
      "/ops/fleet?in=signedOut#list",
    ],
    [
      { kind: "platform_down", drivers: 5, of: 9, since: NOON },
      `The platform doesn't answer 5 of 9 drivers at work, since ${since}.`,
      "Show who",
      "/ops/fleet?in=waiting#list",
    ],
    [
      { kind: "platform_limits", drivers: 5, of: 9, since: NOON },
      `The platform makes 5 of 9 drivers at work wait, since ${since}.`,
      "Show who",
      "/ops/fleet?in=waiting#list",
    ],
    [
      { kind: "platform_refuses", percent: 60 },
      "The platform refuses 60% of our calls.",
      "Show answers",
      "#answers",
    ],
    [
      { kind: "platform_fails", percent: 60 },
      "60% of our calls to the platform fail.",
      "Show answers",
      "#answers",
    ],
    [
      money("mismatch"),
      `Money without service: paid, but not what we asked for, since ${since}`,
      "Driver",
      "/ops/drivers/driver-1",
    ],
    [
      { kind: "money", alert: "unknown_payment", driverId: null, since: NOON },
      `Money without service: paid for a payment that we don't have, since ${since}`,
      "Open Stripe",
      "https://dashboard.stripe.com/payments",
    ],
    [
      money("fraud_warning"),
      `The bank reported fraud: refund it now, before it becomes a dispute that costs more, since ${since}`,
      "Driver",
      "/ops/drivers/driver-1",
    ],
    [
      money("second_intent"),
      `A payment was charged twice: give one back, since ${since}`,
      "Driver",
      "/ops/drivers/driver-1",
    ],
    [
      money("unknown_intent"),
      `Money that names no payment of ours, since ${since}`,
      "Driver",
      "/ops/drivers/driver-1",
    ],
    [
      money("unrefunded"),
      `Paid for a deleted account, and the refund was refused or failed, since ${since}`,
      "Driver",
      "/ops/drivers/driver-1",
    ],
    [money("of_later"), `of_later, since ${since}`, "Driver", "/ops/drivers/driver-1"],
    [
      texts("platform.drift.offers.pay"),
      `The platform's answers differ from its contract since ${since}: offers: pay.`,
      "Show who",
      "/ops/fleet?in=waiting#list",
    ],
    [
      texts("silence.New York"),
      `New York: offers or captures ceased (a reason), since ${since}`,
      "Cities side by side",
      "#cities",
    ],
    [
      texts("silence.everywhere"),
      `Offers or captures ceased in most cities (a reason), since ${since}`,
      "Cities side by side",
      "#cities",
    ],
    [texts("texts.ceiling"), `Texts: texts.ceiling (a reason), since ${since}`, "Drivers", "/ops/drivers"],
    [
      texts("cron.spots"),
      `A background step failed or didn't run: spots (a reason), since ${since}.`,
      "Health",
      "/status/health",
    ],
    [
      texts("payments.key"),
      `Stripe refuses the key: nobody can pay, since ${since}.`,
      "Health",
      "/status/health",
    ],
    [
      texts("settings.chat"),
      `A setting is malformed: chat is stopped, since ${since}.`,
      "Health",
      "/status/health",
    ],
    [texts("backup"), `backup: a reason, since ${since}.`, "Health", "/status/health"],
  ])("is said with where to look: $0", (item, text, link, href) => {
    const html = htmlOf(createElement(AttentionList, { attention: [item] }));
    expect(readPart(createElement(AttentionList, { attention: [item] })).slice(1)).toEqual([text, link]);
    expect(/href="([^"]*)"/u.exec(html)?.[1]).toBe(href);
  });

  it("leads to health at drivers' address, which the console's own host does not have", () => {
    const me = { ...OWNER, publicUrl: "https://drivers.test" };
    const html = htmlOf(createElement(AttentionList, { attention: [texts("backup")] }), [], me);
    expect(/href="([^"]*)"/u.exec(html)?.[1]).toBe("https://drivers.test/status/health");
  });

  it("is nothing in so many words", () => {
    expect(readPart(createElement(AttentionList, { attention: [] }))).toContain("Nothing needs you now.");
  });
});

describe("a sale's preview", () => {
  const prices = [{ plan: "7days" as const, priceCents: 5_000, changedAt: NOON }];
  const sale = { prices, plan: "7days" as const, priceCents: 4_000, startsAt: NOON, endsAt: NOON, now: NOON };
  const preview = (change: object) => readPart(createElement(SalePreview, { ...sale, ...change } as never));

  it("has the plan, both prices and both times", () => {
    expect(preview({})).toEqual([`7 days: $50.00 → $40.00, ${since} to ${since}`]);
  });

  it.each([{ prices: [] }, { priceCents: null }, { startsAt: null }, { endsAt: null }])(
    "waits for all that it says: %o",
    (missing) => expect(preview(missing)).toEqual([]),
  );
});

it("says of a figure that the server refuses whether it is too much or too little", () => {
  expect([undefined, "too_small", "too_large"].map(boundMessage)).toEqual([
    undefined,
    "That is too little.",
    "That is too much.",
  ]);
});
