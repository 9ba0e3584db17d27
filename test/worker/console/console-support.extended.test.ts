import { env } from "cloudflare:test";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DriverAct } from "../../../worker/contract/console/operator-acts.ts";
import { addAccount, operatorClient, OWNER, owner, support } from "../console-harness.ts";
import { createDriver, deployment, injectFault, resetPlatform, type TestDriver } from "../harness.ts";
import { clearFaults, createPayer, createPreparedPayment, payIntent, rows } from "../payments-harness.ts";
import { createRenewing } from "../renewal-harness.ts";

const reason = "the driver called";
const pool = operatorClient(OWNER, deployment({ IDENTITY: "embedded" }));

beforeAll(() => resetPlatform());
beforeEach(async () => {
  await resetPlatform();
  await clearFaults();
});

describe("a charge without service", () => {
  const daysOf = async (driver: TestDriver) =>
    Math.round((await owner.page(driver)).service.unusedMs / 86_400_000);

  it("is listed while it is open, and settled once by asking Stripe, with how it stood before and after", async () => {
    const driver = await createPayer();
    const { paymentId, intentId } = await createPreparedPayment(driver, { plan: "7days" });
    expect((await support.page(driver)).payments).toMatchObject([
      { id: paymentId, status: "open", canCheck: true },
    ]);
    const look: DriverAct = { act: "check_payment", paymentId, reason };
    expect((await support.do(driver, look)).act).toMatchObject({
      before: { status: "open" },
      after: { status: "open" },
    });
    await payIntent(intentId);
    const [{ act }, again] = await Promise.all([support.do(driver, look), support.do(driver, look)]);
    expect([act.after, again.act.after]).toEqual([{ status: "settled" }, { status: "settled" }]);
    expect(await daysOf(driver)).toBe(7);
    expect((await support.page(driver)).payments).toMatchObject([{ status: "settled", canCheck: false }]);
  });

  it("that was paid does not become fourteen days where support gives seven by hand", async () => {
    const driver = await createPayer();
    const { intentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId);
    expect((await owner.act(driver, { act: "days", days: 7, reason })).status).toBe(409);
    expect(await daysOf(driver)).toBe(7);
    // The operator who looks again and gives them all the same means it.
    expect((await owner.act(driver, { act: "days", days: 7, reason })).status).toBe(200);
    expect(await daysOf(driver)).toBe(14);
  });

  it("gives no days while Stripe does not say whether an open payment was paid", async () => {
    const driver = await createPayer();
    await createPreparedPayment(driver, { plan: "7days" });
    await injectFault({ operation: "readPaymentIntent", fault: "503", times: 9 });
    expect((await owner.act(driver, { act: "days", days: 7, reason })).status).toBe(503);
    await clearFaults();
    expect([await daysOf(driver), await owner.log(driver)]).toEqual([0, []]);
    expect((await owner.act(driver, { act: "days", days: 7, reason })).status).toBe(200);
  });

  it("settles no payment of another driver, and none that does not exist", async () => {
    const [driver, other] = [await createPayer(), await createPayer()];
    const { paymentId } = await createPreparedPayment(driver, { plan: "7days" });
    expect((await support.act(other, { act: "check_payment", paymentId, reason })).status).toBe(404);
    expect((await support.act(driver, { act: "check_payment", paymentId: "none", reason })).status).toBe(404);
    expect(await owner.log(other)).toEqual([]);
  });
});

describe("a renewal", () => {
  it("is seen and ended once, with the consent withdrawn", async () => {
    const driver = await createRenewing();
    expect((await support.page(driver)).renewal).toMatchObject({ status: "on", plan: "7days" });
    const { act } = await support.do(driver, { act: "end_renewal", reason });
    expect([act.before, act.after]).toEqual([{ status: "on" }, { status: "off" }]);
    expect((await support.page(driver)).renewal).toMatchObject({ status: "off" });
    const own = await driver.client.fetchJson("GET", "/flex/v1/payments/renewal");
    expect(own).toMatchObject({ renewal: { status: "off" } });
    const open = await rows(
      `SELECT id FROM renewal_consents WHERE driver_id = ? AND withdrawn_at IS NULL`,
      driver.driverId,
    );
    expect(open).toEqual([]);
    expect((await support.act(driver, { act: "end_renewal", reason })).status).toBe(409);
  });

  it("that was never agreed to can't be ended", async () => {
    const driver = await createDriver();
    expect((await owner.act(driver, { act: "end_renewal", reason })).status).toBe(404);
  });
});

describe("an account", () => {
  const lock = ({ driverId }: TestDriver, until: number) =>
    env.DB.batch([
      env.DB.prepare(`INSERT INTO guesses VALUES (?, 7, ?, 1, ?)`).bind(driverId, until, until),
      env.DB.prepare(`INSERT INTO guesses VALUES (?, 2, ?, 1, ?)`).bind(`${driverId} browser`, until, until),
      env.DB.prepare(`INSERT INTO pool_attempts VALUES (?, 3, ?, 1)`).bind(`totp ${driverId}`, until),
    ]);

  it("locked by guesses is unlocked, and another driver's stays locked", async () => {
    const [driver, other] = [await createDriver(), await createDriver()];
    await Promise.all([addAccount(driver), addAccount(other)]);
    const until = Date.now() + 3_600_000;
    await lock(driver, until);
    await lock(other, until);
    expect((await pool.page(driver)).locks).toEqual({ wrong: 9, until });
    const { act } = await pool.do(driver, { act: "unlock", reason });
    expect(act.before).toEqual({ wrong: 9, lockedUntil: until });
    expect((await pool.page(driver)).locks).toEqual({ wrong: 0, until: null });
    expect((await pool.page(other)).locks).toEqual({ wrong: 9, until });
    expect((await pool.act(driver, { act: "unlock", reason })).status).toBe(409);
  });

  const change = (phoneNumber: string, checks: string[] = ["last_payment", "last_block"]) =>
    ({ act: "change_number", phoneNumber, checks, reason }) as DriverAct;

  it("gets another number after two checks, which the log has, while its sessions end and the former number hears of it", async () => {
    const driver = await createDriver();
    await addAccount(driver);
    await env.DB.prepare(
      `INSERT INTO pool_sessions (origin_jti, user_id, created_at, expires_at) VALUES (?, ?, 1, ?)`,
    )
      .bind(crypto.randomUUID(), driver.driverId, Date.now() + 3_600_000)
      .run();
    const to = `+1555${String(Date.now()).slice(-7)}`;
    const { act } = await pool.do(driver, change(to));
    expect(act).toMatchObject({
      what: { end: to.slice(-4), checks: "last_payment, last_block" },
      before: { end: driver.phoneNumber.slice(-4) },
      after: { end: to.slice(-4) },
    });
    expect(JSON.stringify(await pool.log(driver))).not.toContain(to);
    const page = await pool.page(driver);
    expect([page.driver.phone, page.sessions]).toEqual([to, []]);
    expect(
      await rows(`SELECT kind, phone_number FROM pool_notices WHERE user_id = ?`, driver.driverId),
    ).toEqual([{ kind: "phone", phone_number: driver.phoneNumber }]);
  });

  it("gets no number without two different checks, none that is taken, and none of another pool", async () => {
    const [driver, other] = [await createDriver(), await createDriver()];
    await Promise.all([addAccount(driver), addAccount(other)]);
    const free = `+1555${String(Date.now() + 77).slice(-7)}`;
    for (const checks of [
      [],
      ["last_payment"],
      ["last_payment", "last_payment"],
      ["last_payment", "a_hunch"],
    ])
      expect((await pool.act(driver, change(free, checks))).status).toBe(400);
    const taken = await pool.act(driver, change(other.phoneNumber));
    expect([taken.status, await taken.json()]).toMatchObject([400, { fields: { phoneNumber: "invalid" } }]);
    expect((await owner.act(driver, change(free))).status).toBe(409);
    // Two operators at once: the account has one of the numbers, and the log one line.
    const two = [free, `${free.slice(0, -1)}${(Number(free.at(-1)) + 1) % 10}`];
    const answers = await Promise.all(two.map((to) => pool.act(driver, change(to))));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    const [last] = await pool.log(driver);
    expect((await pool.page(driver)).driver.phone.slice(-4)).toBe(last?.after["end"]);
  });
});

it("shows support the security log and the invitations, those withheld with why, and no number", async () => {
  const [driver, friend] = [await createDriver(), await createDriver()];
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO security_events (user_id, event, hour, network, times, first_at, last_at) VALUES (?, 'locked', 1, 'n', 3, 5, 9)`,
    ).bind(driver.driverId),
    env.DB.prepare(
      `INSERT INTO invitations (id, inviter_id, phone_number, friend_id, has_trial, revocations, created_at, withheld) VALUES ('i-1', ?, ?, ?, 0, 0, 7, 'same_card')`,
    ).bind(driver.driverId, friend.phoneNumber, friend.driverId),
  ]);
  const page = await support.page(driver);
  expect(page.security).toMatchObject([{ event: "locked", times: 3, lastAt: 9 }]);
  expect(page.invitations).toEqual([
    {
      id: "i-1",
      phone: `••• ${friend.phoneNumber.slice(-4)}`,
      friendId: friend.driverId,
      status: "registered",
      withheld: "same_card",
      at: 7,
    },
  ]);
  expect(page.locks).toBeNull();
  expect(JSON.stringify(page)).not.toContain(friend.phoneNumber);
});
