import { Hono } from "hono";
import { z } from "zod";
import { nextId } from "./ids.ts";
import { Refusal, readBody } from "./problem.ts";
import type { EpochMs, Stage } from "./state.ts";

/** The largest body that a push service must accept (RFC 8030, section 7.2). */
const LARGEST_BYTES = 4096;
const LONGEST_TOKEN_MS = 24 * 3_600_000;

const answer = z.strictObject({
  endpoint: z.url(),
  /** The status to respond with; 201 is success. */
  status: z.union([201, 403, 404, 410, 413, 429, 503].map((status) => z.literal(status))),
  /** If omitted, until changed. */
  times: z.int().min(1).optional(),
  /** Seconds for Retry-After. */
  retryAfter: z.int().min(0).optional(),
});

/**
 * A push service (RFC 8030) that accepts messages for any endpoint, so that a real browser's subscription works in
 * development too, and delivers them nowhere. The key that signs an endpoint's first message is the one that its browser
 * subscribed for: any other is refused, as the originals do.
 */
export function pushRoutes({ state, now }: Stage) {
  /** The configured response for now; counts down if it is limited to a number of times. */
  const moodOf = (endpoint: string): { status: number; headers: Record<string, string> } => {
    const mood = state.pushMoods.get(endpoint);
    if (!mood || mood.timesLeft === 0) return { status: 201, headers: {} };
    if (mood.timesLeft !== null) state.pushMoods.set(endpoint, { ...mood, timesLeft: mood.timesLeft - 1 });
    const { status, retryAfter } = mood;
    return { status, headers: retryAfter === null ? {} : { "retry-after": String(retryAfter) } };
  };

  return new Hono()
    .get("/sandbox/push", (c) => c.json({ messages: state.pushes.values().toReversed() }, 200))
    .post("/sandbox/push/answers", async (c) => {
      const { endpoint, status, times, retryAfter } = await readBody(c, answer);
      state.pushMoods.set(new URL(endpoint).href, {
        status,
        timesLeft: times ?? null,
        retryAfter: retryAfter ?? null,
      });
      return c.body(null, 204);
    })
    .post("*", async (c, next) => {
      if (c.req.header("content-encoding") !== "aes128gcm") return next();
      const endpoint = c.req.url;
      const ttl = c.req.header("ttl") ?? "";
      if (!/^\d+$/.test(ttl)) throw new Refusal(400, "invalid_request", { detail: "TTL is missing." });
      const urgency = c.req.header("urgency") ?? "normal";
      if (!["very-low", "low", "normal", "high"].includes(urgency))
        throw new Refusal(400, "invalid_request", { detail: "There is no such urgency." });
      const topic = c.req.header("topic") ?? null;
      if (topic !== null && !/^[\w-]{1,32}$/.test(topic))
        throw new Refusal(400, "invalid_request", { detail: "The topic is not understood." });
      const signer = await whoSigned(c.req.header("authorization"), { endpoint, now: now() });
      const known = state.pushes.values().find((one) => one.endpoint === endpoint && one.status === 201);
      if (known && known.key !== signer.key)
        throw new Refusal(403, "invalid_token", { detail: "The browser subscribed for another key." });
      const body = new Uint8Array(await c.req.arrayBuffer());
      if (body.length > LARGEST_BYTES)
        throw new Refusal(400, "invalid_request", { detail: "It is too large." });

      const { status, headers } = moodOf(endpoint);
      const messageId = nextId(state, "psh");
      const message = { endpoint, at: now(), ttl: Number(ttl), urgency, topic, ...signer, status };
      state.pushes.set(messageId, { ...message, body: btoa(String.fromCharCode(...body)) });
      const location = new URL(`/message/${messageId}`, endpoint).href;
      return new Response(null, { status, headers: status === 201 ? { location } : headers });
    });
}

const claims = z.object({ aud: z.string(), exp: z.number(), sub: z.string() });

/** The application server's key and contact, if its signature is valid for this push service (RFC 8292). */
async function whoSigned(
  header: string | undefined,
  { endpoint, now }: { endpoint: string; now: EpochMs },
): Promise<{ key: string; subject: string }> {
  const refusal = new Refusal(403, "invalid_token", { detail: "The VAPID signature does not hold." });
  const [, jwt, key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/i.exec(header ?? "") ?? [];
  const [head, payload, signature] = (jwt ?? "").split(".");
  if (!head || !payload || !signature || !key) throw refusal;
  const publicKey = await crypto.subtle
    .importKey("raw", bytesOf(key), { name: "ECDSA", namedCurve: "P-256" }, false, ["verify"])
    .catch(() => {
      throw refusal;
    });
  const holds = await crypto.subtle.verify(
    { name: "ECDSA", hash: "SHA-256" },
    publicKey,
    bytesOf(signature),
    new TextEncoder().encode(`${head}.${payload}`),
  );
  const { alg } = z.object({ alg: z.string() }).parse(JSON.parse(new TextDecoder().decode(bytesOf(head))));
  const { aud, exp, sub } = claims.parse(JSON.parse(new TextDecoder().decode(bytesOf(payload))));
  const isInTime = exp * 1000 > now && exp * 1000 <= now + LONGEST_TOKEN_MS;
  if (!holds || alg !== "ES256" || aud !== new URL(endpoint).origin || !isInTime) throw refusal;
  return { key, subject: sub };
}

function bytesOf(base64Url: string): Uint8Array<ArrayBuffer> {
  const plain = atob(base64Url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}
