import { env } from "cloudflare:test";
import { openDb } from "../../../db/client.ts";
import { claimNumber } from "../../../db/queries/accounts/account-changes.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { UserResponse } from "../../../worker/contract/account/user.ts";
import { DriverClient } from "../../support/driver-client.ts";
import { skipTimers } from "../../support/skip-timers.ts";
import {
  apiTarget,
  deployment,
  driverObject,
  injectFault,
  resetPlatform,
  type TestDriver,
} from "../harness.ts";
import {
  callStripeSandbox,
  clearFaults,
  codeOf,
  createPayer,
  createPreparedPayment,
  deliverAll,
  fetchPayment,
  fetchTexts,
  payIntent,
  rows,
} from "../payments-harness.ts";
import {
  fetchInvitations,
  freeDaysOf,
  invite,
  newNumber,
  referralOf,
  registerFriend,
} from "../rewards-harness.ts";

beforeAll(() => resetPlatform());
beforeEach(skipTimers);
afterEach(clearFaults);

/** The gateway's refusal for a number that told it to stop. */
const STOPPED = {
  status: 400,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ code: 21610 }),
};

const textsTo = (tenDigits: string) => fetchTexts({ phoneNumber: `+1${tenDigits}` } as TestDriver);

async function pay(driver: TestDriver) {
  const { paymentId, intentId } = await createPreparedPayment(driver, { plan: "7days" });
  await payIntent(intentId);
  await fetchPayment(driver, paymentId);
  return { paymentId, intentId };
}

async function statusesOf(driver: TestDriver): Promise<string[]> {
  return (await fetchInvitations(driver)).invitations.map(({ status }) => status);
}

describe("an inviter's link", () => {
  it("tells strangers the driver's first name alone, and nothing of an unknown referral", async () => {
    const driver = await createPayer();
    const describeLink = async (referral: string) => {
      const answer = await apiTarget.fetch(`${apiTarget.origin}/status/inviters/${referral}`);
      return [answer.status, await answer.json()];
    };
    const referral = await referralOf(driver);
    const called = (name: string) => rows(`UPDATE users SET name = ? WHERE id = ?`, name, driver.driverId);
    await called("José Lima +15550100188");
    expect(await describeLink(referral)).toEqual([200, { inviter: { name: "Jose" } }]);
    await called("www.example.com/win");
    expect(await describeLink(referral)).toEqual([200, { inviter: { name: null } }]);
    expect(await describeLink("jornada")).toEqual([200, { inviter: null }]);
    await driver.client.call("DELETE", "/flex/v1/user");
    expect(await describeLink(referral)).toEqual([200, { inviter: null }]);
  });
});

it("keeps an inviter's link through a change of number, and a friend's invitation through theirs", async () => {
  const inviter = await createPayer();
  const referral = await referralOf(inviter);
  const friend = await registerFriend(newNumber(), referral);
  for (const { driverId } of [inviter, friend])
    await claimNumber(openDb(env.DB), {
      userId: driverId,
      phoneNumber: `+1${newNumber()}`,
      now: Date.now(),
    });
  expect(await referralOf(inviter)).toBe(referral);
  await pay(friend);
  expect(await freeDaysOf(inviter)).toEqual([["invitation", 7]]);
});

describe("inviting a number", () => {
  it("texts it in the inviter's language with the inviter's link", async () => {
    const driver = await createPayer();
    await driver.client.patchUser({ language: "pt", updateLanguage: true });
    const number = newNumber();
    const answer = await invite(driver, number);
    expect([answer.status, await answer.json()]).toEqual([200, { isTexted: true }]);
    const { link, invitations } = await fetchInvitations(driver);
    expect(await textsTo(number)).toEqual([expect.stringMatching(/^Ana convidou: o Jornada/)]);
    expect((await textsTo(number))[0]).toContain(link);
    expect(invitations).toMatchObject([
      { phoneNumber: `+1${number}`, status: "unregistered", hasTrial: false },
    ]);
  });

  it("says why it does not: one's own number, one that is registered, one that was invited", async () => {
    const [driver, other] = [await createPayer(), await createPayer()];
    const number = newNumber();
    await invite(driver, number);
    const codes = [driver.phoneNumber.slice(2), other.phoneNumber.slice(2), number].map(async (tried) =>
      codeOf(await invite(driver, tried)),
    );
    expect(await Promise.all(codes)).toEqual(["own_number", "already_registered", "already_invited"]);
    for (const malformed of ["555010", "15550101234", "abcdefghij", "+15550101234"])
      expect(await codeOf(await invite(driver, malformed))).toBe("invalid_request");
  });

  it("does not go to the inviter's own preferred number", async () => {
    const driver = await createPayer();
    const number = newNumber();
    await env.DB.prepare(`UPDATE users SET preferred_phone_number = ? WHERE id = ?`)
      .bind(`+1${number}`, driver.driverId)
      .run();
    expect(await codeOf(await invite(driver, number))).toBe("own_number");
    expect(await textsTo(number)).toEqual([]);
  });

  it("takes ten numbers a day, registered or not", async () => {
    const driver = await createPayer();
    const tried = [];
    for (let index = 0; index < 12; index += 1)
      tried.push(index % 2 === 0 ? newNumber() : (await createPayer()).phoneNumber.slice(2));
    const answers = [];
    for (const number of tried) answers.push(await invite(driver, number));
    expect(answers.slice(0, 10).map(({ status }) => status)).toEqual([
      200, 409, 200, 409, 200, 409, 200, 409, 200, 409,
    ]);
    for (const answer of answers.slice(10))
      expect([answer.status, await codeOf(answer)]).toEqual([429, "invitations_used_up"]);
    await rows(`UPDATE invite_tries SET at = 1 WHERE driver_id = ?`, driver.driverId);
    expect((await invite(driver, newNumber())).status).toBe(200);
  });

  it("counts a number once a day, however often it is sent", async () => {
    const driver = await createPayer();
    const number = newNumber();
    await Promise.all(Array.from({ length: 50 }, () => invite(driver, number)));
    const others = [];
    for (let i = 0; i < 10; i++) others.push((await invite(driver, newNumber())).status);
    expect(others).toEqual([...Array.from({ length: 9 }, () => 200), 429]);
    expect(await codeOf(await invite(driver, number))).toBe("already_invited");
  });

  it("is refused above the deployment's ceiling of invitations, which an operator hears of", async () => {
    await rows(`DELETE FROM text_counts WHERE key LIKE 'ceiling to_invited_numbers%'`);
    const { token } = await createPayer();
    const target = deployment({ TEXTS_TO_INVITED_NUMBERS: "1/1" });
    const client = new DriverClient({ ...target, token });
    const inviteThere = (phoneNumber: string) =>
      client.call("POST", "/flex/v1/invitations", { body: { phoneNumber } });
    const [first, second] = [newNumber(), newNumber()];
    expect(await (await inviteThere(first)).json()).toEqual({ isTexted: true });
    const refused = await inviteThere(second);
    expect([refused.status, await codeOf(refused)]).toEqual([429, "rate_limited"]);
    expect([await textsTo(first), await textsTo(second)]).toEqual([[expect.any(String)], []]);
    expect(await rows(`SELECT name, reason FROM service_alerts`)).toEqual([
      { name: "texts.to_invited_numbers", reason: expect.stringMatching(/^ceiling_by_(hour|day)$/) },
    ]);
  });

  it("texts a number once, whoever invites it and how often at once", async () => {
    const drivers = await Promise.all([createPayer(), createPayer(), createPayer()]);
    const number = newNumber();
    const answers = await Promise.all(drivers.flatMap((driver) => [invite(driver, number)]));
    const texted = await Promise.all(answers.map((answer) => answer.json<{ isTexted: boolean }>()));
    expect(texted.filter(({ isTexted }) => isTexted)).toHaveLength(1);
    expect(await textsTo(number)).toHaveLength(1);
  });

  it("can be repeated where the text was not sent, and not where the number wants none", async () => {
    const driver = await createPayer();
    const number = newNumber();
    await injectFault({ operation: "sendMessage", fault: "429", times: 1 });
    const failed = await invite(driver, number);
    expect([failed.status, await codeOf(failed)]).toEqual([503, "text_not_sent"]);
    expect((await invite(driver, number)).status).toBe(200);
    expect(await textsTo(number)).toHaveLength(1);

    const stopped = newNumber();
    await injectFault({ operation: "sendMessage", fault: "gateway", times: 1, ...STOPPED });
    expect(await (await invite(driver, stopped)).json()).toEqual({ isTexted: false });
    expect(await codeOf(await invite(driver, stopped))).toBe("already_invited");
    expect(await textsTo(stopped)).toEqual([]);
  });

  it("refuses numbers of other countries", async () => {
    const driver = await createPayer();
    const answer = await invite(driver, "8765550100");
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { code: "invalid_request", fields: { phoneNumber: "invalid" } },
    ]);
    expect(await textsTo("8765550100")).toEqual([]);
  });
});

describe("a friend who registers", () => {
  it("counts by the link, without showing the inviter a number", async () => {
    const inviter = await createPayer();
    const friend = await registerFriend(newNumber(), await referralOf(inviter));
    const { invitations } = await fetchInvitations(inviter);
    expect(invitations).toMatchObject([{ phoneNumber: null, status: "pending" }]);
    expect(JSON.stringify(invitations)).not.toContain(friend.phoneNumber.slice(2));
  });

  it("counts by the invited number without the link", async () => {
    const inviter = await createPayer();
    const number = newNumber();
    await invite(inviter, number);
    await registerFriend(number);
    expect(await statusesOf(inviter)).toEqual(["pending"]);
  });

  it("counts for the link where another driver invited the number", async () => {
    const [first, second] = [await createPayer(), await createPayer()];
    const number = newNumber();
    await invite(first, number);
    await registerFriend(number, await referralOf(second));
    expect([await statusesOf(first), await statusesOf(second)]).toEqual([["unregistered"], ["pending"]]);
  });

  it("does not need a referral that anybody knows", async () => {
    const friend = await registerFriend(newNumber(), "somebody");
    expect(await freeDaysOf(friend)).toEqual([]);
  });

  it("is registered with a referral that is too long or none", async () => {
    for (const referral of ["x".repeat(70), " "]) {
      const { client } = await registerFriend(newNumber(), referral);
      const { Item } = await client.fetchJson<UserResponse>("GET", "/flex/v1/user");
      expect(Item.referral).toBe("jornada");
    }
  });
});

describe("a friend's first paid plan", () => {
  async function befriend() {
    const inviter = await createPayer();
    const friend = await registerFriend(newNumber(), await referralOf(inviter));
    return { inviter, friend };
  }

  it("gives the inviter as many days as it bought, in the object too, and both hear of it", async () => {
    const { inviter, friend } = await befriend();
    await pay(friend);
    expect(await freeDaysOf(inviter)).toEqual([["invitation", 7]]);
    expect(await statusesOf(inviter)).toEqual(["completed"]);
    const { serviceUntil } = await driverObject(inviter).snapshot();
    expect(Math.abs(Number(serviceUntil) - Date.now() - 7 * DAY_MS)).toBeLessThan(60_000);
    await expect
      .poll(async () => (await fetchTexts(inviter)).join())
      .toContain("A friend you invited paid for their first plan. You get 7 days of service.");
    await expect
      .poll(async () => (await fetchTexts(friend)).join())
      .toContain("the friend who invited you gets 7 days of service.");
  });

  it("gives them once, whatever settles it and how often, and nothing for the next plan", async () => {
    const { inviter, friend } = await befriend();
    const { paymentId, intentId } = await createPreparedPayment(friend, { plan: "7days" });
    await payIntent(intentId);
    await Promise.all([
      fetchPayment(friend, paymentId),
      deliverAll(intentId),
      fetchPayment(friend, paymentId),
      deliverAll(intentId),
    ]);
    await pay(friend);
    expect(await freeDaysOf(inviter)).toEqual([["invitation", 7]]);
  });

  it("gives them once per number, even if the friend registers anew", async () => {
    const inviter = await createPayer();
    const number = newNumber();
    const referral = await referralOf(inviter);
    const friend = await registerFriend(number, referral);
    await pay(friend);
    await friend.client.call("DELETE", "/flex/v1/user");
    await pay(await registerFriend(number, referral));
    expect(await freeDaysOf(inviter)).toEqual([["invitation", 7]]);
  });

  it("takes them back where it is refunded within 14 days, and returns them with the next plan", async () => {
    const { inviter, friend } = await befriend();
    const { intentId, paymentId } = await pay(friend);
    await callStripeSandbox(`intents/${intentId}/refund`, {});
    await Promise.all([deliverAll(intentId), fetchPayment(friend, paymentId)]);
    await deliverAll(intentId);
    expect(await freeDaysOf(inviter)).toEqual([
      ["invitation", 7],
      ["invitation:1", -10],
    ]);
    const { invitations } = await fetchInvitations(inviter);
    expect(invitations).toMatchObject([{ status: "completed", isRevoked: true }]);
    expect(Number((await driverObject(inviter).snapshot()).serviceUntil)).toBeLessThanOrEqual(
      Date.now() + 1000,
    );
    await pay(friend);
    expect(await freeDaysOf(inviter)).toEqual([
      ["invitation", 7],
      ["invitation:1", -10],
      ["invitation:1:undone", 10],
    ]);
  });

  it("gives nothing to an account that is gone, and keeps no trace of it", async () => {
    const { inviter, friend } = await befriend();
    await inviter.client.call("DELETE", "/flex/v1/user");
    await pay(friend);
    expect(await freeDaysOf(inviter)).toEqual([]);
    const { results } = await env.DB.prepare(
      `SELECT inviter_id AS id FROM invitations WHERE inviter_id = ?1 UNION ALL SELECT driver_id FROM invite_codes WHERE driver_id = ?1`,
    )
      .bind(inviter.driverId)
      .all();
    expect(results).toEqual([]);
  });
});
