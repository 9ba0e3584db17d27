import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { PaymentsResponse } from "../../../worker/contract/money/payments.ts";
import type { RedeemResponse } from "../../../worker/contract/money/rewards.ts";
import type { UserResponse } from "../../../worker/contract/account/user.ts";
import {
  linkPlatformAccount,
  permissiveFilters,
  permissiveWarehouseFilter,
} from "../../support/sandbox-client.ts";
import { skipTimers } from "../../support/skip-timers.ts";
import { apiTarget, driverObject, resetPlatform, type TestDriver } from "../harness.ts";
import {
  codeOf,
  createPayer,
  createPreparedPayment,
  fetchPayment,
  fetchTexts,
  payIntent,
  pointBalanceOf,
  rows,
} from "../payments-harness.ts";
import { fetchRewards, freeDaysOf, newNumber, redeem, registerFriend } from "../rewards-harness.ts";

beforeAll(() => resetPlatform());
beforeEach(skipTimers);

describe("the rewards", () => {
  it("show the balance, what it buys, and how it came about", async () => {
    const driver = await createPayer();
    expect(await fetchRewards(driver)).toEqual({
      points: 0,
      entries: [],
      rewards: [
        { reward: "friend_invitation", points: 150 },
        { reward: "3days", points: 300 },
        { reward: "7days", points: 700 },
        { reward: "14days", points: 1400 },
        { reward: "30days", points: 3000 },
      ],
    });
    const { paymentId, intentId } = await createPreparedPayment(driver, { plan: "30days" });
    await payIntent(intentId);
    await fetchPayment(driver, paymentId);
    expect((await redeem(driver, { reward: "3days" })).status).toBe(200);
    const { points, entries } = await fetchRewards(driver);
    expect([points, entries.map(({ kind, reward, points }) => [kind, reward, points])]).toEqual([
      0,
      [
        ["redeemed", "3days", -300],
        ["earned", null, 300],
      ],
    ]);
  });

  it("are days of service at once, in the driver's object too", async () => {
    const driver = await createPayer({ points: 750 });
    const answer = await redeem(driver, { reward: "7days" });
    const { points, serviceUntil }: RedeemResponse = await answer.json();
    expect([answer.status, points]).toEqual([200, 50]);
    expect(Math.abs(Number(serviceUntil) - Date.now() - 7 * DAY_MS)).toBeLessThan(60_000);
    const snapshot = await driverObject(driver).snapshot();
    expect(snapshot.serviceUntil).toBe(serviceUntil);
    const { items } = await driver.client.fetchJson<PaymentsResponse>("GET", "/flex/v1/payments");
    expect(items).toEqual([]);
  });

  it("are never more than the points, however many calls come at once", async () => {
    const driver = await createPayer({ points: 650 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => redeem(driver, { reward: "3days" }).then(({ status }) => status)),
    );
    expect(answers.filter((status) => status === 200)).toHaveLength(2);
    expect(answers.filter((status) => status === 409)).toHaveLength(10);
    expect(await pointBalanceOf(driver)).toBe(50);
    expect(await freeDaysOf(driver)).toEqual([
      ["reward", 3],
      ["reward", 3],
    ]);
  });

  it("are redeemed once per idempotency key, and never for another reward with it", async () => {
    const driver = await createPayer({ points: 5000 });
    const idempotencyKey = crypto.randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => redeem(driver, { reward: "3days", idempotencyKey })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const other = await redeem(driver, { reward: "30days", idempotencyKey });
    expect([other.status, await codeOf(other)]).toEqual([409, "conflict"]);
    const friend = await redeem(driver, {
      reward: "friend_invitation",
      phoneNumber: newNumber(),
      idempotencyKey,
    });
    expect(friend.status).toBe(409);
    expect(await pointBalanceOf(driver)).toBe(4700);
    expect(await freeDaysOf(driver)).toEqual([["reward", 3]]);
  });

  it("don't share points with a payment that reserved them, at once or after it", async () => {
    const driver = await createPayer({ points: 300 });
    const prepare = createPreparedPayment(driver, { plan: "7days", points: 300, totalCents: 2870 });
    const [prepared, redeemed] = await Promise.allSettled([prepare, redeem(driver, { reward: "3days" })]);
    const isRedeemed = redeemed.status === "fulfilled" && redeemed.value.status === 200;
    expect([prepared.status === "fulfilled", isRedeemed].filter(Boolean)).toHaveLength(1);
    expect(await pointBalanceOf(driver)).toBe(0);
  });

  it("are refused with too few points, and while waiting for a spot", async () => {
    const driver = await createPayer({ points: 299 });
    const short = await redeem(driver, { reward: "3days" });
    expect([short.status, await codeOf(short)]).toEqual([409, "points_short"]);
    const waiting = await createPayer({ points: 300 });
    await rows(`UPDATE users SET waiting_for_spot = 1 WHERE id = ?`, waiting.driverId);
    expect(await codeOf(await redeem(waiting, { reward: "3days" }))).toBe("waiting_for_spot");
    expect(await pointBalanceOf(waiting)).toBe(300);
  });
});

const userOf = async ({ client }: TestDriver) =>
  (await client.fetchJson<UserResponse>("GET", "/flex/v1/user")).Item;

/** Links a friend, whose filters then take everything of a warehouse. */
async function makeReady({ client, phoneNumber }: TestDriver): Promise<void> {
  await linkPlatformAccount({ ...apiTarget, client }, `${phoneNumber.slice(1)}@example.com`);
  const { warehouses } = await client.warehouses();
  const [first] = warehouses;
  if (!first) throw new Error("the platform has no warehouse");
  await client.saveFilters(permissiveFilters([permissiveWarehouseFilter(first.warehouseId)]));
}

async function turn({ client, phoneNumber }: TestDriver, to: "on" | "off"): Promise<number> {
  return (await client.patchUser({ phoneNumber, userDisabled: to === "on" ? 0 : 1 })).status;
}

describe("a friend's trial", () => {
  it("is a text to the friend, and a day of service when they first turn on", async () => {
    const driver = await createPayer({ points: 200 });
    const number = newNumber();
    const answer = await redeem(driver, { reward: "friend_invitation", phoneNumber: number });
    expect(await answer.json()).toMatchObject({ points: 50, isTexted: true });
    const friend = await registerFriend(number);
    expect(await freeDaysOf(friend)).toEqual([]);
    expect(await userOf(friend)).toMatchObject({
      trialPending: true,
      goodStanding: true,
      expirationDateTimestamp: 0,
    });
    await makeReady(friend);
    expect(await turn(friend, "on")).toBe(200);
    expect(await freeDaysOf(friend)).toEqual([["trial", 1]]);
    expect(await userOf(friend)).toMatchObject({ trialPending: false, goodStanding: true });
    const { serviceUntil } = await driverObject(friend).snapshot();
    expect(Number(serviceUntil)).toBeGreaterThan(Date.now() + DAY_MS - MINUTE_MS);
    expect([await turn(friend, "off"), await turn(friend, "on")]).toEqual([200, 200]);
    expect(await freeDaysOf(friend)).toEqual([["trial", 1]]);
    const [text] = await fetchTexts(friend);
    expect(text).toMatch(/^Ana gives you a free day of Jornada.*\/register\?referral=\w{10} /);
  });

  it("is kept while its driver waits for a spot, and after its giver has left", async () => {
    const driver = await createPayer({ points: 150 });
    const number = newNumber();
    await redeem(driver, { reward: "friend_invitation", phoneNumber: number });
    const friend = await registerFriend(number);
    await makeReady(friend);
    await driver.client.call("DELETE", "/flex/v1/user");
    await rows(`UPDATE users SET waiting_for_spot = 1 WHERE id = ?`, friend.driverId);
    expect(await turn(friend, "on")).toBe(402);
    expect(await userOf(friend)).toMatchObject({ trialPending: true, goodStanding: false });
    await rows(`UPDATE users SET waiting_for_spot = 0 WHERE id = ?`, friend.driverId);
    const answers = await Promise.all([turn(friend, "on"), turn(friend, "on")]);
    expect([answers, await freeDaysOf(friend)]).toEqual([[200, 200], [["trial", 1]]]);
  });

  it("comes on top of a plan that is paid before, which completes the giver's invitation", async () => {
    const driver = await createPayer({ points: 150 });
    const number = newNumber();
    await redeem(driver, { reward: "friend_invitation", phoneNumber: number });
    const friend = await registerFriend(number);
    const { paymentId, intentId } = await createPreparedPayment(friend, { plan: "7days" });
    await payIntent(intentId);
    await fetchPayment(friend, paymentId);
    expect(await freeDaysOf(driver)).toEqual([["invitation", 7]]);
    expect(await userOf(friend)).toMatchObject({ trialPending: true, goodStanding: true });
    await makeReady(friend);
    expect(await turn(friend, "on")).toBe(200);
    const daysLeft = ((await userOf(friend)).expirationDateTimestamp - Date.now()) / DAY_MS;
    expect(Math.round(daysLeft)).toBe(8);
  });

  it("is given once per number: not by two drivers, not after an account was deleted", async () => {
    const [one, other] = [await createPayer({ points: 450 }), await createPayer({ points: 300 })];
    const number = newNumber();
    const gift = { reward: "friend_invitation", phoneNumber: number };
    const answers = await Promise.all([redeem(one, gift), redeem(other, gift), redeem(one, gift)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const total = Number(await pointBalanceOf(one)) + Number(await pointBalanceOf(other));
    expect(total).toBe(600);
    const friend = await registerFriend(number);
    expect((await userOf(friend)).trialPending).toBe(true);
    await friend.client.call("DELETE", "/flex/v1/user");
    const again = await registerFriend(number);
    expect((await userOf(again)).trialPending).toBe(false);
    await again.client.call("DELETE", "/flex/v1/user");
    const late = await redeem(one, gift);
    expect([late.status, await codeOf(late)]).toEqual([409, "already_invited"]);
  });

  it("is not for who is registered, nor for oneself", async () => {
    const [driver, friend] = [await createPayer({ points: 300 }), await createPayer()];
    const give = (phoneNumber: string) => redeem(driver, { reward: "friend_invitation", phoneNumber });
    expect(await codeOf(await give(friend.phoneNumber.slice(2)))).toBe("already_registered");
    expect(await codeOf(await give(driver.phoneNumber.slice(2)))).toBe("own_number");
    expect(await pointBalanceOf(driver)).toBe(300);
  });
});
