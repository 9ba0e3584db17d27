import type { EpochMs, State } from "../state.ts";
import type { Act } from "./act.ts";
import type { Endpoint, PaymentEvent, Post } from "./shapes.ts";
import { paymentId } from "./tables.ts";
import { eventView } from "./views/events.ts";
import type { View } from "./views/view.ts";

const ENDPOINT = "endpoint";
/** The default webhook secret. */
export const SIGNING_SECRET = "whsec_sandbox";
const POST: Post = { delayMs: 0, duplicate: false, shuffle: false, lose: false, hold: false, retryMs: 1000 };

export const endpointOf = (state: State): Endpoint | null => state.endpoint.get(ENDPOINT) ?? null;

export function setEndpoint(state: State, endpoint: Endpoint | null): void {
  if (endpoint === null) state.endpoint.delete(ENDPOINT);
  else state.endpoint.set(ENDPOINT, endpoint);
}

export const postOf = (state: State): Post => state.payments.post.get("post") ?? POST;
export const setPost = (state: State, post: Post): void => state.payments.post.set("post", post);

/** Creates an event with a snapshot of the object and queues it for delivery. */
export function emit(
  { state, now, cause, post }: Act,
  type: string,
  object: View,
  previous: View | null = null,
): void {
  const endpoint = endpointOf(state);
  const isSent = endpoint !== null && isFor(endpoint, type);
  const event: PaymentEvent = {
    id: paymentId(state, "evt"),
    createdAt: now,
    type,
    object,
    previous,
    cause,
    post: isSent ? "waiting" : "none",
    tries: [],
  };
  state.payments.events.set(event.id, event);
  if (isSent) post(event.id);
}

function isFor({ events = ["*"] }: Endpoint, type: string): boolean {
  return events.some((name) => name === "*" || name === type);
}

/** The raw body of an event. */
export function bodyOf(state: State, event: PaymentEvent): string {
  return JSON.stringify(eventView(event, endpointOf(state) === null ? 0 : 1), null, 2);
}

/** The Stripe-Signature header, with one signature for each active secret. */
export async function sign(body: string, secrets: readonly string[], at: EpochMs): Promise<string> {
  const time = Math.floor(at / 1000);
  const signatures = await Promise.all(secrets.map((secret) => hmac(secret, `${time}.${body}`)));
  return [`t=${time}`, ...signatures.map((signature) => `v1=${signature}`)].join(",");
}

async function hmac(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
  return [...signature].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The time to sign with: the later of the sandbox's and the real clock, since receivers reject old signatures by the
 * real one.
 */
export const signingTime = (now: EpochMs): EpochMs => Math.max(now, Date.now());
