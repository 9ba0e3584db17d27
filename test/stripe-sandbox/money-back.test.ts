import type { Stripe } from "stripe";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { START } from "../platform/sandbox-harness.ts";
import { openStripeHarness } from "./stripe-harness.ts";

let harness: Awaited<ReturnType<typeof openStripeHarness>>;
beforeAll(async () => {
  harness = await openStripeHarness();
});
afterAll(() => harness.server.stop());
beforeEach(() => harness.clear());

const chargeOf = async (intent: { id: string }) => {
  const read = await harness.stripe.paymentIntents.retrieve(intent.id, { expand: ["latest_charge"] });
  return read.latest_charge as Stripe.Charge;
};

it("books a charge some time after it was paid, if told so, and its fee is known only then", async () => {
  await harness.control("POST", "/sandbox/stripe/switches", { booksLate: true });
  const paid = await harness.pay("4242424242424242");
  const bookedOf = async () => {
    const expand = ["latest_charge.balance_transaction"];
    const { latest_charge: charge } = await harness.stripe.paymentIntents.retrieve(paid.id, { expand });
    return (charge as Stripe.Charge).balance_transaction;
  };
  expect(await bookedOf()).toBeNull();
  expect((await harness.stripe.balanceTransactions.list()).data).toEqual([]);
  await harness.control("POST", "/sandbox/stripe/switches", { booksLate: false });
  expect(await bookedOf()).toMatchObject({ object: "balance_transaction", fee: 143 });
  expect((await harness.stripe.balanceTransactions.list()).data).toHaveLength(1);
});

it("refunds a part, then the rest, and nothing more", async () => {
  const paid = await harness.pay("4242424242424242");
  const part = await harness.stripe.refunds.create({
    payment_intent: paid.id,
    amount: 1000,
    reason: "requested_by_customer",
    metadata: { why: "days" },
  });
  expect(part).toMatchObject({
    amount: 1000,
    charge: paid.latest_charge,
    payment_intent: paid.id,
    reason: "requested_by_customer",
    status: "succeeded",
    metadata: { why: "days" },
  });
  expect(await chargeOf(paid)).toMatchObject({ amount_refunded: 1000, refunded: false });
  const tooMuch = await harness.refusal(
    harness.stripe.refunds.create({ payment_intent: paid.id, amount: 3000 }),
  );
  expect(tooMuch.message).toBe("Refund amount ($30.00) is greater than unrefunded amount on charge ($29.00)");
  await harness.stripe.refunds.create({ charge: String(paid.latest_charge) });
  expect(await chargeOf(paid)).toMatchObject({ amount_refunded: 3900, refunded: true });
  expect(await harness.refusal(harness.stripe.refunds.create({ payment_intent: paid.id }))).toMatchObject({
    code: "charge_already_refunded",
  });
  const { data } = await harness.stripe.refunds.list({ payment_intent: paid.id });
  expect(data.map(({ amount }) => amount)).toEqual([2900, 1000]);
});

it("rejects a refund of an unpaid intent", async () => {
  const { id } = await harness.order();
  const error = await harness.refusal(harness.stripe.refunds.create({ payment_intent: id }));
  expect(error.message).toBe(`This PaymentIntent (${id}) does not have a successful charge to refund.`);
  expect(await harness.refusal(harness.stripe.refunds.create({}))).toMatchObject({
    code: "parameter_missing",
  });
});

it.each([
  ["4000000000007726", "pending", "succeeded", 3900],
  ["4000000000005126", "succeeded", "failed", 0],
])("completes the refund of %s asynchronously: %s, then %s", async (card, first, then, refunded) => {
  const paid = await harness.pay(card);
  const { id } = await harness.stripe.refunds.create({ payment_intent: paid.id });
  expect((await harness.stripe.refunds.retrieve(id)).status).toBe(first);
  await harness.world({ now: START + 10_000 });
  expect((await harness.stripe.refunds.retrieve(id)).status).toBe(then);
  expect((await chargeOf(paid)).amount_refunded).toBe(refunded);
  expect((await harness.events("?type=refund.updated")).length).toBe(1);
});

it.each(["won", "lost"] as const)("closes a dispute as %s", async (outcome) => {
  const paid = await harness.pay("4242424242424242");
  const dispute = await harness.move<Stripe.Dispute>(paid.id, "dispute");
  expect(dispute).toMatchObject({ amount: 3900, status: "needs_response", payment_intent: paid.id });
  expect((await chargeOf(paid)).disputed).toBe(true);
  expect(await harness.refusal(harness.stripe.refunds.create({ payment_intent: paid.id }))).toMatchObject({
    code: "charge_disputed",
  });
  await harness.move(paid.id, "dispute", { outcome });
  expect((await harness.stripe.disputes.retrieve(dispute.id)).status).toBe(outcome);
  const [closed] = await harness.events("?type=charge.dispute.closed");
  expect(JSON.parse(closed?.body ?? "")).toMatchObject({
    data: { object: { id: dispute.id, status: outcome }, previous_attributes: { status: "needs_response" } },
  });
});

it("pays a lost dispute back where an appeal wins it, and lists what was withdrawn and reinstated", async () => {
  const paid = await harness.pay("4242424242424242");
  const { id } = await harness.move<Stripe.Dispute>(paid.id, "dispute", { outcome: "lost" });
  const amounts = async () =>
    (await harness.stripe.disputes.retrieve(id)).balance_transactions.map(({ amount }) => amount);
  expect(await amounts()).toEqual([-3900]);
  await harness.move(paid.id, "dispute", { outcome: "won" });
  expect((await harness.stripe.disputes.retrieve(id)).status).toBe("won");
  expect(await amounts()).toEqual([-3900, 3900]);
});

it.each([
  ["resolution", [-3900]],
  ["block", []],
])("prevents a dispute by %s: the balance transactions tell where the money is", async (outcome, amounts) => {
  const paid = await harness.pay("4242424242424242");
  const dispute = await harness.move<Stripe.Dispute>(paid.id, "dispute", { outcome });
  expect(dispute).toMatchObject({
    status: "prevented",
    payment_method_details: { card: { case_type: outcome } },
  });
  expect(dispute.balance_transactions.map(({ amount }) => amount)).toEqual(amounts);
});

it("repeats a 500 that was stored under an idempotency key, and answers another key", async () => {
  await harness.control("POST", "/sandbox/faults", {
    operation: "createCustomer",
    fault: "500_stored",
    times: 1,
  });
  const create = (idempotencyKey: string) => harness.stripe.customers.create({}, { idempotencyKey });
  expect((await harness.refusal(create("one"))).headers).not.toHaveProperty("idempotent-replayed");
  const again = await harness.refusal(create("one"));
  expect([again.statusCode, again.headers?.["idempotent-replayed"]]).toEqual([500, "true"]);
  expect((await create("two")).id).toMatch(/^cus_/);
});
