import { createServer, type Server } from "node:http";
import { Stripe } from "stripe";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { START } from "../platform/sandbox-harness.ts";
import { SECRET, openStripeHarness } from "./stripe-harness.ts";

let harness: Awaited<ReturnType<typeof openStripeHarness>>;
let server: Server;
let received: Stripe.Event[];
/** Statuses that the endpoint answers with; the last one repeats. */
let answers: number[];
const crypto = Stripe.createSubtleCryptoProvider();

const verify = (body: string, signature: string, secret = SECRET) =>
  harness.stripe.webhooks.constructEventAsync(body, signature, secret, undefined, crypto);

beforeAll(async () => {
  harness = await openStripeHarness();
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts).toString("utf8");
      void verify(body, String(request.headers["stripe-signature"]))
        .then((event) => {
          const status = (answers.length > 1 ? answers.shift() : answers[0]) ?? 200;
          if (status === 200) received.push(event);
          return status;
        })
        .catch(() => 400)
        .then((status) => response.writeHead(status).end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  server.close();
  await harness.server.stop();
});
beforeEach(async () => {
  received = [];
  answers = [200];
  await harness.clear();
});
afterEach(() => harness.control("POST", "/sandbox/stripe/endpoint", { url: null }));

const address = () => {
  const bound = server.address();
  return `http://127.0.0.1:${typeof bound === "object" && bound ? bound.port : 0}/webhooks/stripe`;
};
const listen = (post: object = {}, endpoint: object = {}) =>
  Promise.all([
    harness.control("POST", "/sandbox/stripe/endpoint", { url: address(), secret: SECRET, ...endpoint }),
    harness.control("POST", "/sandbox/stripe/delivery", post),
  ]);
const types = (events: { type: string }[]) => events.map(({ type }) => type);

const PAID = ["payment_intent.created", "charge.succeeded", "payment_intent.succeeded", "charge.updated"];

const STORIES: [string, string[], (id: string) => Promise<unknown>][] = [
  ["a payment", PAID, (id) => harness.move(id, "pay")],
  [
    "a declined card",
    ["payment_intent.created", "charge.failed", "payment_intent.payment_failed"],
    (id) => harness.move(id, "pay", { card: "4000000000000002" }),
  ],
  [
    "3-D Secure",
    ["payment_intent.created", "payment_intent.requires_action", ...PAID.slice(1)],
    async (id) => {
      await harness.move(id, "pay", { card: "4000002760003184" });
      await harness.move(id, "authenticate", { outcome: "complete" });
    },
  ],
  [
    "a payment in process",
    ["payment_intent.created", "payment_intent.processing", ...PAID.slice(1)],
    async (id) => {
      await harness.move(id, "pay", { hold: true });
      await harness.move(id, "settle", { outcome: "succeeded" });
    },
  ],
  [
    "a canceled intent",
    ["payment_intent.created", "payment_intent.canceled"],
    (id) => harness.move(id, "cancel"),
  ],
  [
    "a refund",
    [...PAID, "refund.created", "charge.refunded"],
    async (id) => {
      await harness.move(id, "pay");
      await harness.move(id, "refund");
    },
  ],
  [
    "a card whose owner contests the charge",
    [...PAID, "charge.dispute.created", "charge.updated", "charge.dispute.funds_withdrawn"],
    (id) => harness.move(id, "pay", { card: "4000000000000259" }),
  ],
];

it.each(STORIES)("sends the events of %s", async (_, expected, play) => {
  const { id } = await harness.order();
  await play(id);
  expect(types(await harness.events())).toEqual(expected);
});

it("lists events that the library verifies, each with a snapshot of its object", async () => {
  const { id, lastResponse } = await harness.order(
    { metadata: { orderId: "o1" } },
    { idempotencyKey: "order-1" },
  );
  await harness.move(id, "pay");
  const [created, , succeeded] = await harness.events();
  const first = await verify(created?.body ?? "", created?.signature ?? "");
  expect(first).toMatchObject({
    id: created?.id,
    object: "event",
    api_version: "2026-10-28.endive",
    created: START / 1000,
    data: { object: { id, object: "payment_intent", status: "requires_payment_method" } },
    livemode: false,
    pending_webhooks: 0,
    request: { id: lastResponse.requestId, idempotency_key: "order-1" },
    type: "payment_intent.created",
  });
  const last = await verify(succeeded?.body ?? "", succeeded?.signature ?? "");
  expect(last.data.object).toMatchObject({ id, status: "succeeded", metadata: { orderId: "o1" } });
  await expect(verify(succeeded?.body ?? "", created?.signature ?? "")).rejects.toThrow(
    "No signatures found",
  );
  await expect(verify(created?.body ?? "", created?.signature ?? "", "whsec_other")).rejects.toThrow();
  const [stale] = await harness.events(`?signedAt=${Date.now() - 301_000}`);
  await expect(verify(stale?.body ?? "", stale?.signature ?? "")).rejects.toThrow("tolerance");
});

it("lists the same events through the API", async () => {
  const { id } = await harness.order();
  await harness.world({ now: START + 60_000 });
  await harness.move(id, "pay");
  const { events } = harness.stripe;
  const listed = await events.list({ types: ["payment_intent.succeeded", "charge.succeeded"] });
  expect(types(listed.data)).toEqual(["payment_intent.succeeded", "charge.succeeded"]);
  const later = await events.list({ created: { gt: START / 1000 }, type: "payment_intent.*" });
  expect(types(later.data)).toEqual(["payment_intent.succeeded"]);
  expect(await events.retrieve(later.data[0]?.id ?? "")).toEqual(later.data[0]);
});

it("delivers events signed with every active secret", async () => {
  await listen({}, { secret: "whsec_new", secrets: [SECRET] });
  await harness.pay("4242424242424242");
  await expect.poll(() => types(received)).toEqual(PAID);
  await expect
    .poll(async () => (await harness.events()).map(({ post }) => post))
    .toEqual(PAID.map(() => "delivered"));
});

it("retries until the endpoint succeeds", async () => {
  answers = [500, 503, 200];
  await listen({ retryMs: 5 });
  await harness.order();
  await expect.poll(() => types(received)).toEqual(["payment_intent.created"]);
  const [event] = await harness.events();
  expect(event?.tries.map(({ status }) => status)).toEqual([500, 503, 200]);
});

it("gives up after four tries and redelivers on request", async () => {
  answers = [500];
  await listen({ retryMs: 1 });
  await harness.order();
  await expect.poll(async () => (await harness.events())[0]?.tries.length).toBe(4);
  const [event] = await harness.events();
  expect(event?.post).toBe("failed");
  answers = [200];
  expect(await harness.control("POST", `/sandbox/stripe/events/${event?.id ?? ""}/deliver`)).toEqual({
    status: 200,
  });
  expect(types(received)).toEqual(["payment_intent.created"]);
});

it("delivers events twice, out of order, late or never on request", async () => {
  await listen({ duplicate: true });
  const first = await harness.order();
  await expect.poll(() => received.map(({ id }) => id)).toHaveLength(2);
  expect(new Set(received.map(({ id }) => id)).size).toBe(1);

  received = [];
  await listen({ duplicate: false, shuffle: true, delayMs: 100 });
  await harness.move(first.id, "pay");
  await expect.poll(() => types(received)).toEqual(PAID.slice(1).toReversed());

  received = [];
  await listen({ shuffle: false, delayMs: 0, lose: 2 });
  await harness.pay("4242424242424242");
  await expect.poll(() => types(received)).toEqual(PAID.slice(2));
});

it("holds events back and releases them", async () => {
  await listen({ hold: true });
  await harness.pay("4242424242424242");
  expect((await harness.events()).map(({ post }) => post)).toEqual(PAID.map(() => "held"));
  expect(received).toEqual([]);
  await listen({ hold: false });
  await expect.poll(() => types(received)).toEqual(PAID);
});
