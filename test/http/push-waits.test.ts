import { expect, it } from "vitest";
import { createPush, type PushMessage } from "../../durable/messaging/push.ts";
import { toBase64Url } from "../../durable/runtime/base64.ts";
import { createPushSubscriber } from "../support/push-subscriber.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const MESSAGE: PushMessage = {
  data: { title: "Captured", body: "$94.50", url: "/flex/dashboard", tag: "captured:1", event: "captured" },
  ttlSeconds: 600,
  urgency: "high",
};

async function createVapid() {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign"]);
  const { d = "" } = await crypto.subtle.exportKey("jwk", pair.privateKey);
  const point = await crypto.subtle.exportKey("raw", pair.publicKey);
  return {
    publicKey: toBase64Url(new Uint8Array(point)),
    privateKey: d,
    subject: "mailto:ana@example.com",
  };
}

async function pushAnswered(status: number, headers: Record<string, string>) {
  const push = createPush({
    vapid: await createVapid(),
    send: async () => new Response(null, { status, headers }),
    note: () => {},
    inTurn: (call) => call(),
    now: () => NOW,
    refusals: { noteAccepted: () => {}, noteRefused: async () => {} },
  });
  const { subscription } = await createPushSubscriber("https://fcm.googleapis.com/fcm/send/a");
  return push.sendMessage(MESSAGE, subscription);
}

it.each([
  ["in seconds", { "retry-after": "120" }, 120_000],
  ["as a date", { "retry-after": "Sat, 21 Nov 2026 12:02:00 GMT" }, 120_000],
  [
    "as a date by a clock that is behind",
    { "retry-after": "Sat, 21 Nov 2026 11:32:00 GMT", date: "Sat, 21 Nov 2026 11:30:00 GMT" },
    120_000,
  ],
  ["of a day, for an hour", { "retry-after": "86400" }, 3_600_000],
  ["in the past", { "retry-after": "Sat, 21 Nov 2026 11:00:00 GMT" }, 0],
  ["that is none", { "retry-after": "soon" }, 0],
])("a push service's wait %s is kept before the next try", async (_, headers, retryAfterMs) => {
  for (const status of [429, 503])
    expect(await pushAnswered(status, headers)).toEqual({ kind: "failed", retryable: true, retryAfterMs });
});

it.each([
  [201, "sent"],
  [404, "gone"],
  [410, "gone"],
  [413, "failed"],
  [403, "failed"],
])("a push service's %i makes a message %s, for which no other try helps", async (status, kind) => {
  expect(await pushAnswered(status, {})).toEqual(
    kind === "failed" ? { kind, retryable: false, retryAfterMs: 0 } : { kind },
  );
});
