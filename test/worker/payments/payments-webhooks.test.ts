import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { env } from "cloudflare:test";
import type { Health } from "../../../worker/contract/status.ts";
import { skipTimers } from "../../support/skip-timers.ts";
import { advanceClock, apiTarget, deployment, injectFault, resetPlatform } from "../harness.ts";
import {
  fetchEvents,
  fetchPaidEvent,
  deliverWebhook,
  ledgerOf,
  SEVEN_DAYS_PAID,
  createPaid,
  rows,
  type SignedEvent,
  followPayments,
  callStripeSandbox,
} from "../payments-harness.ts";

beforeAll(() => resetPlatform());
beforeEach(skipTimers);
afterEach(async () => {
  vi.unstubAllGlobals();
  await resetPlatform();
});

describe("a webhook event", () => {
  it.each([
    [
      "one byte was changed",
      (event: SignedEvent) => ({ ...event, body: event.body.replace("succeeded", "succeedec") }),
    ],
    [
      "it was signed with another secret",
      (event: SignedEvent) => ({ ...event, signature: event.signature.replace(/v1=\w{6}/, "v1=000000") }),
    ],
    ["it has no signature", (event: SignedEvent) => ({ ...event, signature: "" })],
    ["its signature is malformed", (event: SignedEvent) => ({ ...event, signature: "t=1,v1" })],
  ])("is rejected if %s", async (_name, spoil) => {
    const { driver, intentId } = await createPaid();
    const answer = await deliverWebhook(spoil(await fetchPaidEvent(intentId)));
    expect(answer.status).toBe(400);
    expect((await ledgerOf(driver)).credits).toEqual([]);
  });

  it("is rejected if it was signed more than five minutes ago", async () => {
    const { driver, intentId } = await createPaid();
    const signedAt = (secondsAgo: number) => Date.now() - secondsAgo * 1000;
    const query = (secondsAgo: number) => `&type=payment_intent.succeeded&signedAt=${signedAt(secondsAgo)}`;
    const [old] = await fetchEvents(intentId, query(310));
    expect((await deliverWebhook(old ?? fail())).status).toBe(400);
    expect((await ledgerOf(driver)).credits).toEqual([]);
    const [young] = await fetchEvents(intentId, query(290));
    expect((await deliverWebhook(young ?? fail())).status).toBe(200);
    expect(await ledgerOf(driver)).toEqual(SEVEN_DAYS_PAID);
  });

  it("is accepted with either secret during a rotation, and with no other", async () => {
    const { driver, intentId } = await createPaid();
    const event = await fetchPaidEvent(intentId);
    expect((await deliverWebhook(event, { STRIPE_WEBHOOK_SECRETS: "whsec_other" })).status).toBe(400);
    expect((await ledgerOf(driver)).credits).toEqual([]);
    const both = { STRIPE_WEBHOOK_SECRETS: "whsec_next, whsec_sandbox" };
    expect((await deliverWebhook(event, both)).status).toBe(200);
    expect(await ledgerOf(driver)).toEqual(SEVEN_DAYS_PAID);
  });

  it("is answered with 503 while no secret is set, so that Stripe retries", async () => {
    const { intentId } = await createPaid();
    const event = await fetchPaidEvent(intentId);
    expect((await deliverWebhook(event, { STRIPE_WEBHOOK_SECRETS: "" })).status).toBe(503);
    expect((await deliverWebhook(event, { STRIPE_SECRET_KEY: "", STRIPE_PUBLISHABLE_KEY: "" })).status).toBe(
      503,
    );
  });

  it("is ignored if it is about an unknown intent or object", async () => {
    const before = await rows(`SELECT * FROM payments`);
    for (const object of [
      { object: "payment_intent", id: "pi_other" },
      { object: "charge", id: "ch_1", payment_intent: null },
      { object: "balance", id: null },
    ]) {
      const body = JSON.stringify({
        id: `evt_${object.object}`,
        object: "event",
        type: object.object === "charge" ? "charge.refunded" : "payment_intent.succeeded",
        data: { object },
      });
      expect((await deliverWebhook({ body, signature: await sign(body) })).status).toBe(200);
    }
    expect(await rows(`SELECT * FROM payments`)).toEqual(before);
  });

  it("is handled again within two minutes if its handling fails", async () => {
    const { driver, intentId } = await createPaid();
    await injectFault({ operation: "readPaymentIntent", fault: "503", times: 3 });
    expect((await deliverWebhook(await fetchPaidEvent(intentId))).status).toBe(200);
    expect((await ledgerOf(driver)).credits).toEqual([]);
    await followPayments();
    expect((await ledgerOf(driver)).credits).toEqual([]);
    advanceClock(60_001);
    await followPayments();
    expect(await ledgerOf(driver)).toEqual(SEVEN_DAYS_PAID);
    expect(await rows(`SELECT * FROM pending_stripe_events`)).toEqual([]);
  });

  it("is handled a minute later if its handling was cut off after the answer", async () => {
    const { driver, intentId } = await createPaid();
    const { id, type } = await fetchPaidEvent(intentId);
    await env.DB.prepare(
      `INSERT INTO pending_stripe_events (id, type, intent_id, tries, due_at) VALUES (?, ?, ?, 0, ?)`,
    )
      .bind(id, type, intentId, Date.now())
      .run();
    await followPayments();
    expect(await ledgerOf(driver)).toEqual(SEVEN_DAYS_PAID);
  });

  it("about money without service raises an alert, which health shows until the money is returned", async () => {
    const { driver, paymentId, intentId } = await createPaid();
    await env.DB.prepare(`UPDATE payments SET total_cents = 1 WHERE id = ?`).bind(paymentId).run();
    await deliverWebhook(await fetchPaidEvent(intentId));
    expect((await ledgerOf(driver)).credits).toEqual([]);
    const alerts = () => rows(`SELECT kind, payment_id FROM payment_alerts WHERE resolved_at IS NULL`);
    expect(await alerts()).toEqual([{ kind: "mismatch", payment_id: paymentId }]);
    const health = async (name: string) => {
      const answer = await deployment({ PRODUCT_NAME: name }).fetch(`${apiTarget.origin}/status/health`);
      return answer.json<Health>();
    };
    expect(await health("One")).toMatchObject({ ok: true, degraded: ["payments"] });
    await callStripeSandbox(`intents/${intentId}/refund`, {});
    for (const event of await fetchEvents(intentId)) await deliverWebhook(event);
    expect(await alerts()).toEqual([]);
    expect(await health("Two")).not.toHaveProperty("degraded");
  });

  it("is rejected if it is too large", async () => {
    const body = " ".repeat(256 * 1024 + 1);
    expect((await deliverWebhook({ body, signature: await sign(body) })).status).toBe(413);
  });
});

function fail(): never {
  throw new Error("the sandbox has no such event");
}

async function sign(body: string): Promise<string> {
  const at = Math.floor(Date.now() / 1000);
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode("whsec_sandbox"),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(`${at}.${body}`)));
  return `t=${at},v1=${[...mac].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
