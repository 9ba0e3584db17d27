import { beforeEach, describe, expect, it } from "vitest";
import { readServiceLedger } from "../../../db/queries/payments/service-time.ts";
import { DAY_MS, driverId } from "../../../db/shapes/units.ts";
import { settleIntent } from "../../../worker/payments/settle-intent.ts";
import { DRIVER, NOW, openCheckout, prepareWeek } from "../checkout-harness.ts";

const INTENT = "pi_2";
const INVITER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a09");
const REWARD_DAYS = 7;

let at: ReturnType<typeof openCheckout>;

/** A driver who was invited pays for a week, of which nobody has heard yet. */
async function payAsFriend(): Promise<void> {
  at = openCheckout();
  at.addDriver();
  at.addDriver(INVITER);
  at.givePoints(100);
  at.run(
    `INSERT INTO invitations (id, inviter_id, phone_number, friend_id, has_trial, revocations, created_at) VALUES ('i', ?, '+15550000001', ?, 0, 0, ?)`,
    INVITER,
    DRIVER,
    NOW,
  );
  await prepareWeek(at);
  at.bank.pay(INTENT);
}

beforeEach(async () => {
  await payAsFriend();
  await settleIntent(at.checkout, INTENT);
});

/** The inviter's free days, as the ledger has them. */
function daysOfInviter(): number {
  const entries = at.rows(`SELECT * FROM service_credits WHERE driver_id = ? ORDER BY at, rowid`, INVITER);
  const { appliedMs } = readServiceLedger(
    entries.map((row) => ({
      source: String(row["source"]),
      durationMs: Number(row["duration_ms"]),
      at: Number(row["at"]),
    })),
  );
  return [...appliedMs.values()].reduce((total, ms) => total + ms, 0) / DAY_MS;
}

const told = () =>
  at.told
    .filter(({ owner }) => owner === INVITER)
    .flatMap(({ changes }) => changes.map(({ kind, changedMs }) => [kind, changedMs]));

type Back = {
  id: string;
  kind?: "refund" | "dispute";
  cents: number;
  isEffective?: boolean;
  isGoodwill?: boolean;
};

async function giveBack(...backs: Back[]): Promise<void> {
  const refunds = backs.map((back) => ({
    kind: "refund" as const,
    at: NOW,
    isEffective: true,
    isGoodwill: false,
    ...back,
  }));
  at.bank.change(INTENT, { refunds });
  await settleIntent(at.checkout, INTENT);
  await settleIntent(at.checkout, INTENT);
}

describe("a friend's payment of which money goes back", () => {
  it("leaves the inviter the share that the friend paid, and says what was taken", async () => {
    expect(daysOfInviter()).toBe(REWARD_DAYS);
    await giveBack({ id: "re_1", cents: 2511 });
    expect(daysOfInviter()).toBe(REWARD_DAYS / 2);
    expect(told()).toContainEqual(["friend_refunded", (-REWARD_DAYS / 2) * DAY_MS]);
    await giveBack({ id: "re_1", cents: 2511, isEffective: false });
    expect(daysOfInviter()).toBe(REWARD_DAYS);
  });

  it("leaves next to nothing of a refund of all but a cent", async () => {
    await giveBack({ id: "re_1", cents: 5021 });
    expect(daysOfInviter()).toBeLessThan(0.01);
    expect(daysOfInviter()).toBeGreaterThan(0);
  });

  it("takes a dollar's share for a lost dispute of a dollar", async () => {
    await giveBack({ id: "du_1", kind: "dispute", cents: 100 });
    expect(daysOfInviter()).toBeCloseTo(REWARD_DAYS * (1 - 100 / 5022), 6);
  });

  it("returns the share of a refund of which the friend keeps the days after all", async () => {
    await giveBack({ id: "re_1", cents: 2511 });
    await giveBack({ id: "re_1", cents: 2511, isGoodwill: true });
    expect(daysOfInviter()).toBe(REWARD_DAYS);
  });

  it("returns it also where the friend had used all days before the refund", async () => {
    // The inviter still uses days of before.
    at.run(
      `INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES ('operator:1', ?, ?, ?)`,
      INVITER,
      30 * DAY_MS,
      NOW - 1,
    );
    at.clock.now = NOW + 10 * DAY_MS;
    await giveBack({ id: "re_1", cents: 2511 });
    expect(daysOfInviter()).toBe(30 + REWARD_DAYS / 2);
    await giveBack({ id: "re_1", cents: 2511, isGoodwill: true });
    expect(daysOfInviter()).toBe(30 + REWARD_DAYS);
  });

  it("returns what refunds of all the money took, one after the other", async () => {
    const half = { id: "re_1", cents: 2511 };
    const rest = { id: "re_2", cents: 2511 };
    await giveBack(half);
    await giveBack(half, rest);
    expect(daysOfInviter()).toBe(0);
    await giveBack({ ...half, isGoodwill: true }, rest);
    expect(daysOfInviter()).toBe(REWARD_DAYS / 2);
    await giveBack({ ...half, isGoodwill: true }, { ...rest, isGoodwill: true });
    expect(daysOfInviter()).toBe(REWARD_DAYS);
  });

  it("returns what a refund took that fails while as much is given as goodwill, both heard of at once", async () => {
    const half = { id: "re_1", cents: 2511 };
    await giveBack(half);
    await giveBack(half, { id: "re_2", cents: 2511 });
    const failed = { id: "re_2", cents: 2511, isEffective: false };
    await giveBack(half, failed, { id: "re_3", cents: 2511, isGoodwill: true });
    expect(daysOfInviter()).toBe(REWARD_DAYS / 2);
  });

  it("keeps the share of a refund that stands where another, of which it was all, fails", async () => {
    const [quarter, rest] = [
      { id: "re_1", cents: 1255 },
      { id: "re_2", cents: 3767 },
    ];
    await giveBack(quarter);
    await giveBack(quarter, rest);
    expect(daysOfInviter()).toBe(0);
    await giveBack({ ...quarter, isEffective: false }, rest);
    expect(daysOfInviter()).toBeCloseTo((REWARD_DAYS * 1255) / 5022, 6);
    await giveBack({ ...quarter, isEffective: false }, { ...rest, isEffective: false });
    expect(daysOfInviter()).toBe(REWARD_DAYS);
  });

  it("keeps it also where all refunds came at once, and one fails", async () => {
    const [quarter, rest] = [
      { id: "re_1", cents: 1255 },
      { id: "re_2", cents: 3767 },
    ];
    await giveBack(quarter, rest);
    expect(daysOfInviter()).toBe(0);
    await giveBack(quarter, { ...rest, isEffective: false });
    expect(daysOfInviter()).toBeCloseTo((REWARD_DAYS * 3767) / 5022, 6);
  });

  it.each([
    ["at once", [{ id: "re_1", cents: 5022 }]],
    [
      "in two parts",
      [
        { id: "re_1", cents: 1255 },
        { id: "re_2", cents: 3767 },
      ],
    ],
  ])("returns all that it took with the friend's next plan, where it went back %s", async (_how, backs) => {
    for (const [index] of backs.entries()) await giveBack(...backs.slice(0, index + 1));
    expect(daysOfInviter()).toBe(0);
    await prepareWeek(at);
    at.bank.pay(at.bank.last.intentId);
    await settleIntent(at.checkout, at.bank.last.intentId);
    expect(daysOfInviter()).toBe(REWARD_DAYS);
    // The former payment no longer matters.
    await giveBack(...backs.map((back) => ({ ...back, isEffective: false })));
    expect(daysOfInviter()).toBe(REWARD_DAYS);
  });

  it("rewards nothing at a price of the friend's own, also where a refund of it fails", async () => {
    at.run(`UPDATE payments SET cut_kind = 'special_price'`);
    at.run(`DELETE FROM service_credits WHERE driver_id = ?`, INVITER);
    at.run(`UPDATE invitations SET completed_at = NULL, payment_id = NULL`);
    at.run(`DELETE FROM invited_numbers`);
    await giveBack({ id: "re_1", cents: 5022 });
    await giveBack({ id: "re_1", cents: 5022, isEffective: false });
    expect(at.rows(`SELECT * FROM service_credits WHERE driver_id = ?`, INVITER)).toEqual([]);
  });
});

it("takes one share of each refund where the first came before the payment was known", async () => {
  await payAsFriend();
  const first = { id: "re_1", cents: 2511 };
  await giveBack(first);
  expect(daysOfInviter()).toBe(REWARD_DAYS / 2);
  await giveBack(first, { id: "re_2", cents: 1255 });
  expect(daysOfInviter()).toBeCloseTo((REWARD_DAYS * 1256) / 5022, 6);
});
