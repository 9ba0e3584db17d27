import { beforeEach, expect, it } from "vitest";
import type { InvitationAdmission } from "../../durable/texts/text-door.ts";
import { claimInvitationText } from "../../db/queries/rewards/invitations.ts";
import { redeemReward } from "../../worker/rewards/redeem.ts";
import { MINUTE_MS, NOW, open, type Checkout } from "../payments/checkout-harness.ts";

const FRIEND = "5550201111";

let at: Checkout;
beforeEach(() => {
  at = open();
  at.givePoints(300);
});

/**
 * Redeems a friend's trial under one key, as a page does that lost the answer.
 * @returns whether the answer says that the friend was texted
 */
async function redeem(admission: InvitationAdmission, phoneNumber = FRIEND): Promise<boolean | null> {
  const texts = { ...at.checkout.deps.texts, admitInvitation: async () => admission };
  const deps = { ...at.checkout.deps, texts };
  const context = { ...at.checkout, deps, record: await at.driver(), address: null };
  const input = { reward: "friend_invitation", idempotencyKey: "one-key-of-a-page", phoneNumber } as const;
  const redeemed = await redeemReward(context, input);
  return redeemed.ok ? redeemed.isTexted : null;
}

const admits = (outcome: Awaited<ReturnType<Extract<InvitationAdmission, { kind: "admitted" }>["send"]>>) =>
  ({ kind: "admitted", send: async () => outcome, cancel: async () => undefined }) as const;

it.each<[string, InvitationAdmission, isTexted: boolean]>([
  ["a text that was sent", admits({ kind: "sent" }), true],
  ["a text that may have arrived", admits({ kind: "failed", reason: "gateway", mayArrive: true }), true],
  ["a text that failed", admits({ kind: "failed", reason: "gateway", mayArrive: false }), false],
  ["a text that the gateway refused", admits({ kind: "failed", reason: "stopped", mayArrive: false }), false],
  ["a number that wants none", { kind: "refused", reason: "stopped" }, false],
])("says again, where the answer was lost, what became of %s", async (_text, admission, isTexted) => {
  expect([await redeem(admission), await redeem(admission)]).toEqual([isTexted, isTexted]);
});

it("says again that a friend had a text before, and so has none of this trial", async () => {
  await claimInvitationText(at.checkout.db, `+1${FRIEND}`, NOW - MINUTE_MS);
  expect([await redeem(admits({ kind: "sent" })), await redeem(admits({ kind: "sent" }))]).toEqual([
    false,
    false,
  ]);
});

it("tells nothing of a number that the key was not redeemed for", async () => {
  expect(await redeem(admits({ kind: "sent" }))).toBe(true);
  await claimInvitationText(at.checkout.db, "+15550209999", NOW + MINUTE_MS);
  expect(await redeem(admits({ kind: "sent" }), "5550209999")).toBe(false);
});
