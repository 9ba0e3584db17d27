import { beforeEach, expect, it } from "vitest";
import { driverId } from "../../db/shapes/units.ts";
import { noteCallerDevice } from "../../worker/rewards/device.ts";
import { settleIntent } from "../../worker/payments/settle-intent.ts";
import { DRIVER, openCheckout, prepareWeek, type Checkout } from "../payments/checkout-harness.ts";

const FRIEND = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a02");

let at: Checkout;
beforeEach(async () => {
  at = openCheckout();
  at.addDriver(DRIVER, { change: { flexEmail: "ana@example.com" } });
  at.addDriver(FRIEND, { change: { flexEmail: "bea@example.com" } });
  at.run(
    `INSERT INTO invitations (id, inviter_id, friend_id, has_trial, revocations, created_at) VALUES ('i', ?, ?, 0, 0, 1)`,
    DRIVER,
    FRIEND,
  );
  await prepareWeek(at);
  at.bank.pay("pi_2");
  await settleIntent(at.checkout, "pi_2");
});

async function friendPays(fingerprint: string) {
  await prepareWeek(at, { driverId: FRIEND });
  const { intentId } = at.bank.last;
  at.bank.pay(intentId, { fingerprint });
  await settleIntent(at.checkout, intentId);
  return {
    reward: at.rows(
      `SELECT duration_ms / 86400000 AS days FROM service_credits WHERE source LIKE 'invitation:%'`,
    ),
    withheld: at.rows(`SELECT withheld, completed_at IS NULL AS waits FROM invitations`)[0],
    told: at.told.flatMap(({ changes }) => changes.map(({ kind }) => kind)),
  };
}

it("rewards a friend's payment by another card", async () => {
  expect(await friendPays("print_2")).toMatchObject({
    reward: [{ days: 7 }],
    withheld: { withheld: null, waits: 0 },
  });
});

it("rewards nothing that the inviter's own card paid, and tells nobody", async () => {
  const { reward, withheld, told } = await friendPays("print_1");
  expect(reward).toEqual([]);
  expect(withheld).toEqual({ withheld: "same_card", waits: 1 });
  expect(told).toEqual(["paid", "paid"]);
});

it("rewards nothing of a friend who works with the inviter's account of the platform", async () => {
  at.run(`UPDATE users SET flex_email = 'ANA@example.com' WHERE id = ?`, FRIEND);
  const { reward, withheld } = await friendPays("print_2");
  expect(reward).toEqual([]);
  expect(withheld).toEqual({ withheld: "same_account", waits: 1 });
});

it("rewards nothing of a friend who pays in the inviter's browser, and says so to operators alone", async () => {
  const { db } = at.checkout;
  const device = "0b6b3a52-6d0e-4a26-9d3e-0c7f6f6d7a0f";
  await noteCallerDevice(db, { driverId: DRIVER, device, now: 1 });
  await noteCallerDevice(db, { driverId: FRIEND, device, now: 2 });
  const { reward, withheld, told } = await friendPays("print_2");
  expect(reward).toEqual([]);
  expect(withheld).toEqual({ withheld: "same_device", waits: 1 });
  expect(told).toEqual(["paid", "paid"]);
  const [kept] = at.rows(`SELECT DISTINCT device_hash FROM driver_devices`);
  expect(String(kept?.["device_hash"])).toMatch(/^[0-9a-f]{64}$/);
});

it("rewards a friend who pays in a browser of their own, as one does whose page names none", async () => {
  const { db } = at.checkout;
  await noteCallerDevice(db, { driverId: DRIVER, device: "0b6b3a52-6d0e-4a26-9d3e-0c7f6f6d7a01", now: 1 });
  await noteCallerDevice(db, { driverId: FRIEND, device: "0b6b3a52-6d0e-4a26-9d3e-0c7f6f6d7a02", now: 1 });
  for (const driverId of [DRIVER, FRIEND])
    for (const device of [undefined, "", "the same words"])
      await noteCallerDevice(db, { driverId, device, now: 1 });
  expect(at.rows(`SELECT 1 FROM driver_devices`)).toHaveLength(2);
  expect(await friendPays("print_2")).toMatchObject({ reward: [{ days: 7 }], withheld: { withheld: null } });
});

it("keeps the first browsers of a driver, whatever a caller names", async () => {
  const { db } = at.checkout;
  for (let count = 0; count < 30; count += 1)
    await noteCallerDevice(db, { driverId: DRIVER, device: crypto.randomUUID(), now: count });
  expect(at.rows(`SELECT max(at) AS last FROM driver_devices`)).toEqual([{ last: 19 }]);
});
