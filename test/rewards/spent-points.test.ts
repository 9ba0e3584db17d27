import { beforeEach, describe, expect, it } from "vitest";
import {
  claimInvitationText,
  insertInvitation,
  loadInvitedNumber,
  releaseInvitationText,
} from "../../db/queries/rewards/invitations.ts";
import { redeemService, redeemTrial } from "../../db/queries/rewards/rewards.ts";
import { DRIVER, NOW, open, type Checkout } from "../payments/checkout-harness.ts";
import { BIA } from "../console/desk.ts";

const NUMBER = "+15550201111";

let at: Checkout;
beforeEach(() => {
  at = open();
  at.addDriver(BIA);
});

const days = async (id: string, plan: "3days" | "7days" = "3days", driverId = DRIVER) =>
  (await redeemService(at.checkout.db, { id, driverId, now: NOW, plan })).isClaimed;
const trial = (id: string, phoneNumber = NUMBER, driverId = DRIVER) =>
  redeemTrial(at.checkout.db, { id, driverId, now: NOW, phoneNumber, invitationId: `invitation-${id}` });
const points = (driverId = DRIVER) =>
  at.rows(`SELECT coalesce(sum(points), 0) AS points FROM point_entries WHERE driver_id = ?`, driverId)[0]?.[
    "points"
  ];
const credits = () => at.rows(`SELECT source FROM service_credits`).map(({ source }) => source);

describe("points", () => {
  it("buy what they suffice for, once per key, and two at once spend them once", async () => {
    at.givePoints(399);
    expect(await days("a", "7days")).toBe(false);
    expect((await Promise.all([days("b"), days("c")])).toSorted()).toEqual([false, true]);
    expect(points()).toBe(99);
    expect([await days("b"), await days("c")]).toEqual([false, false]);
    expect(credits()).toHaveLength(1);
    expect(points()).toBe(99);
  });

  it("buy no days for who waits for a spot", async () => {
    at.givePoints(300);
    at.run(`UPDATE users SET waiting_for_spot = 1 WHERE id = ?`, DRIVER);
    expect(await days("a")).toBe(false);
    expect([points(), credits()]).toEqual([300, []]);
  });

  it("buy a number one trial, whoever gives it, and none where it is registered", async () => {
    at.givePoints(450);
    at.givePoints(450, BIA);
    at.run(`UPDATE users SET phone_number = '+15550203333' WHERE id = ?`, BIA);
    expect(await trial("registered", "+15550203333")).toBe(false);
    expect([await trial("a"), await trial("b")]).toEqual([true, false]);
    expect(await trial("c", NUMBER, BIA)).toBe(false);
    expect([points(), points(BIA)]).toEqual([300, 450]);
  });
});

it("a number has one text of invitations, and one that was not sent is none", async () => {
  const { db } = at.checkout;
  const claim = () => claimInvitationText(db, NUMBER, NOW);
  expect((await Promise.all([claim(), claim()])).toSorted()).toEqual([false, true]);
  await releaseInvitationText(db, NUMBER);
  expect([await claim(), await claim()]).toEqual([true, false]);
});

it("an invitation is its inviter's alone, though the number's text is everybody's", async () => {
  const { db } = at.checkout;
  await insertInvitation(db, { id: "of-bia", inviterId: BIA, phoneNumber: NUMBER, now: NOW });
  await claimInvitationText(db, NUMBER, NOW);
  const known = (inviterId: typeof DRIVER) => loadInvitedNumber(db, { inviterId, phoneNumber: NUMBER });
  expect(await known(BIA)).toMatchObject({ invitation: { id: "of-bia" }, textedAt: NOW });
  expect(await known(DRIVER)).toEqual({ isRegistered: false, invitation: null, textedAt: NOW });
});
