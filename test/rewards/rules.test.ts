import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../db/shapes/language.ts";
import type { PaymentStatus } from "../../db/shapes/money/plans.ts";
import { DAY_MS, driverId } from "../../db/shapes/units.ts";
import { invitationChange, type Refund } from "../../worker/payments/refunds.ts";
import { isFeedbackDue } from "../../worker/routes/voice.ts";
import { firstNameOf, inviteCodeFrom, invitationLink, invitationText } from "../../worker/rewards/invite.ts";
import { describePointEntries, pointEntryKindOf } from "../../worker/rewards/redeem.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const DRIVER = driverId.parse("d");

describe("a friend's payment", () => {
  type Payment = Parameters<typeof invitationChange>[0];
  type Change = Parameters<typeof invitationChange>[1]["change"];
  const payment: Payment = {
    status: "settled",
    settledAt: NOW,
    totalCents: 5022,
    plan: "7days",
    priceCents: 4987,
    discountKind: null,
    discountCents: 0,
    pointsCents: 0,
  };
  const open: Payment = { ...payment, status: "open", settledAt: null };
  const to = (status: PaymentStatus, settledAt: number | null = NOW): Change => ({ status, settledAt });
  const refund = (days: number, change: Partial<Refund> = {}): Refund => ({
    id: "re",
    kind: "refund",
    cents: 5022,
    at: NOW + days * DAY_MS,
    isEffective: true,
    isGoodwill: false,
    ...change,
  });

  it.each<[string, Partial<Payment>, number | null]>([
    ["ten days for a month", { plan: "30days" }, 10],
    ["what it bought, where that is less", { plan: "3days" }, 3],
    [
      "its share at a sale's price",
      { discountKind: "flash_sale", discountCents: 1000, priceCents: 2000 },
      3.5,
    ],
    ["its share of money, where points paid for the rest", { pointsCents: 1000, priceCents: 2000 }, 3.5],
    ["nothing at a price of the driver's own", { discountKind: "special_price", discountCents: 1 }, null],
  ])("brings the inviter %s", (_what, figures, rewardDays) => {
    const change = invitationChange({ ...open, ...figures }, { change: to("settled"), refunds: [] });
    const days = change?.kind === "grant" ? change.rewardMs / DAY_MS : null;
    expect(days).toBe(rewardDays);
  });

  it.each([
    ["grants on its first settling", open, to("settled"), [], "grant"],
    ["grants nothing while it is open", open, to("processing", null), [], null],
    ["grants nothing where points paid for all of it", { ...open, totalCents: 0 }, to("settled"), [], null],
    ["grants nothing where it is refunded at once", open, to("refunded"), [refund(0)], null],
    ["keeps all while a dispute is open", payment, to("disputed"), [], null],
    [
      "takes a share where a part is lost in a dispute",
      payment,
      to("dispute_lost"),
      [refund(1, { kind: "dispute", cents: 100 })],
      "share",
    ],
    ["takes the days back on the fourteenth day", payment, to("refunded"), [refund(14)], "revoke"],
    ["keeps them on the fifteenth", payment, to("refunded"), [refund(14.01)], null],
    [
      "takes the share of what came in time where the last part came too late",
      payment,
      to("refunded"),
      [refund(2, { cents: 2511 }), refund(20, { cents: 2511 })],
      "share",
    ],
    ["keeps them for goodwill", payment, to("refunded"), [refund(1, { isGoodwill: true })], null],
    [
      "takes them back for a dispute that is lost, whenever",
      payment,
      to("dispute_lost"),
      [refund(90, { kind: "dispute" })],
      "revoke",
    ],
    [
      "returns them where the refund fails",
      { ...payment, status: "refunded" },
      to("settled"),
      [refund(1, { isEffective: false })],
      "grant",
    ],
  ] satisfies [string, Payment, Change, Refund[], string | null][])(
    "%s",
    (_name, before, change, refunds, expected) => {
      expect(invitationChange(before, { change, refunds })?.kind ?? null).toBe(expected);
    },
  );
});

describe("the points ledger", () => {
  it.each([
    ["payment:p1:earned", "earned"],
    ["payment:p1:reserved", "reserved"],
    ["payment:p1:released", "released"],
    ["payment:p1:retaken", "reserved"],
    ["payment:p1:re_1", "refunded"],
    ["payment:p1:re_1:undone", "refund_undone"],
    ["reward:d:key", "redeemed"],
    ["gift-of-the-operator", "other"],
    ["payment:", "other"],
  ])("reads %s as %s", (source, kind) => {
    expect(pointEntryKindOf(source)).toBe(kind);
  });

  it("names the reward that points were redeemed for, and leaves out what changed nothing", () => {
    const entry = (source: string, points: number) => ({ source, driverId: DRIVER, points, at: NOW });
    expect(
      describePointEntries(
        [entry("reward:d:1", -300), entry("reward:d:2", -5), entry("payment:p:re_1", 0)],
        [{ id: "d:1", driverId: DRIVER, reward: "3days", points: 300, at: NOW }],
      ),
    ).toEqual([
      { kind: "redeemed", reward: "3days", points: -300, at: NOW },
      { kind: "redeemed", reward: null, points: -5, at: NOW },
    ]);
  });
});

describe("asking what a driver thinks", () => {
  it.each([
    [2, null, false],
    [3, null, true],
    [9, 59, false],
    [9, 60, true],
  ])("with %d captures, %s days after the last time: %s", (captures, days, isDue) => {
    const lastAskedAt = days === null ? null : NOW - days * DAY_MS;
    expect(isFeedbackDue({ captures, lastAskedAt }, NOW)).toBe(isDue);
  });
});

describe("an invitation's text", () => {
  /** The letters of GSM 03.38 that these texts may use: any other makes each segment 70 letters long. */
  const GSM = /^[A-Za-z0-9 \n@$!"#%&'()*+,\-./:;<=>?_èéùìòÇØøÅåÆæßÉÄÖÑÜäöñüà]*$/;
  const link = invitationLink("https://jornada.example.com", "abcdefghjk");

  it.each(LANGUAGES)("fits one segment in %s, with the longest name and without one", (language) => {
    for (const inviter of ["Maximilianophorus da Silva", "José", "日本"]) {
      for (const hasTrial of [true, false]) {
        const text = invitationText({ inviter, language, product: "Jornada", link, hasTrial });
        expect(text).toMatch(GSM);
        expect([text, text.length <= 160]).toEqual([text, true]);
        expect(text).toContain(`${link} `);
        expect(text).toContain("STOP");
      }
    }
  });

  it.each([
    ["Ana Souza", "Ana"],
    ["José", "Jose"],
    ["O'Neil", "O'Neil"],
    ["evil.com", null],
    ["http://x.io", null],
    ["4042", null],
    ["  ", null],
  ])("calls %s by %s", (name, first) => {
    expect(firstNameOf(name)).toBe(first);
  });

  it("makes a referral of letters that nobody mistakes", () => {
    expect(inviteCodeFrom(Uint8Array.from({ length: 256 }, (_, index) => index))).toMatch(
      /^[a-hjkmnp-z2-9]{256}$/,
    );
  });
});
