import { buildPushPayload } from "@block65/webcrypto-web-push";
import type { NotificationEvent, Reminder } from "../../db/shapes/notifications.ts";
import type { QuestionId } from "../../db/shapes/work/question.ts";
import type { DurationMs, EpochMs } from "../../db/shapes/units.ts";
import { fromBase64Url, toBase64Url } from "../runtime/base64.ts";
import { parseRetryAfter } from "../platform/headers.ts";
import { httpExchange } from "../platform/http-exchange.ts";
import type { NoteFailure } from "../runtime/call-failure.ts";
import type { InTurn } from "../runtime/lane.ts";
import type { Send } from "../runtime/send.ts";

const TIMEOUT_MS: DurationMs = 10_000;
/** Longest topic that RFC 8030, section 5.4 allows. */
const TOPIC_LENGTH = 32;
const MAX_RETRY_AFTER_MS: DurationMs = 3_600_000;
/** Apple's service answers 400 where the key is another than the browser's, those of the others 401 or 403. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403]);

/** The deployment's VAPID key pair (RFC 8292) in Base64url: an uncompressed P-256 point and its private scalar. */
export type VapidKeys = { publicKey: string; privateKey: string; subject: string };

/** A browser's push endpoint and the keys to encrypt for it. */
export type PushSubscription = { endpoint: string; keys: { p256dh: string; auth: string } };

/** A question in a push message. The `token` is made for the browser that it is sent to. */
export type PushQuestion = {
  questionId: QuestionId;
  closesAt: EpochMs;
  take: string;
  pass: string;
  /** Shown where an answer can't be sent. */
  unsent: string;
  token?: string | undefined;
};

/** A notification for a browser to show. */
export type PushMessage = {
  data: {
    title: string;
    body: string;
    url: string;
    tag: string;
    event: NotificationEvent | Reminder;
    /** The question that its two buttons answer, with their words. */
    question?: PushQuestion | undefined;
  };
  /** How long the push service keeps the message for a device that is offline. */
  ttlSeconds: number;
  urgency: "normal" | "high";
};

/**
 * `gone`: the subscription has ended. `failed` with `retryable`: the push service did not accept the message
 * and may be tried again, after `retryAfterMs` at the earliest.
 */
export type PushResult =
  | { kind: "sent" }
  | { kind: "gone" }
  | { kind: "failed"; retryable: boolean; retryAfterMs: DurationMs };

/** Notes how push services take our keys. */
export type PushRefusals = {
  noteAccepted(): void;
  /** Never throws. */
  noteRefused(status: number, endpoint: string): Promise<void>;
};

/** Sends notifications to browsers, even while they are closed. */
export type Push = {
  /** Sends one message to one browser. Never throws. */
  sendMessage(message: PushMessage, subscription: PushSubscription): Promise<PushResult>;
};

/**
 * Web Push: RFC 8030, encrypted as in RFC 8291 (`aes128gcm`), signed as in RFC 8292. A later message with the
 * same tag replaces one that is not delivered yet.
 */
export function createPush({
  vapid,
  send,
  note,
  refusals,
  inTurn,
  now,
}: {
  vapid: VapidKeys;
  send: Send;
  note: NoteFailure;
  refusals: PushRefusals;
  inTurn: InTurn;
  now: () => EpochMs;
}): Push {
  return {
    async sendMessage({ data, ttlSeconds, urgency }, { endpoint, keys }) {
      const topic = await toTopic(data.tag);
      // Throws if the subscription's keys are malformed; such a subscription can never receive anything.
      const request = await buildPushPayload(
        { data, options: { ttl: ttlSeconds, urgency, topic } },
        { endpoint, keys, expirationTime: null },
        vapid,
      ).catch(() => null);
      if (!request) return { kind: "failed", retryable: false, retryAfterMs: 0 };
      const received = await inTurn(() =>
        httpExchange(
          { url: endpoint, method: "POST", headers: request.headers, body: request.body },
          { send, note, limitMs: TIMEOUT_MS },
        ),
      );
      if (received.kind !== "arrived") return { kind: "failed", retryable: false, retryAfterMs: 0 };
      const { status, headers } = received;
      if (status >= 200 && status < 300) {
        refusals.noteAccepted();
        return { kind: "sent" };
      }
      if (status === 404 || status === 410) return { kind: "gone" };
      if (REFUSALS.has(status)) await refusals.noteRefused(status, endpoint);
      return {
        kind: "failed",
        retryable: status === 429 || status >= 500,
        retryAfterMs: parseRetryAfterMs(headers, now()),
      };
    },
  };
}

/** Whether messages can be encrypted for a subscription: a P-256 point and 16 bytes of secret. */
export async function isValidPushKeys({ p256dh, auth }: PushSubscription["keys"]): Promise<boolean> {
  try {
    const point = fromBase64Url(p256dh);
    if (fromBase64Url(auth).length !== 16) return false;
    await crypto.subtle.importKey("raw", point, { name: "ECDH", namedCurve: "P-256" }, false, []);
    return point.length === 65;
  } catch {
    return false;
  }
}

async function toTopic(tag: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(tag));
  return toBase64Url(new Uint8Array(digest)).slice(0, TOPIC_LENGTH);
}

function parseRetryAfterMs(headers: Headers, now: EpochMs): DurationMs {
  return Math.min((parseRetryAfter(headers, now) ?? now) - now, MAX_RETRY_AFTER_MS);
}

/**
 * The hosts of the browsers' push services: Chrome and its kin, Firefox, Edge, Safari. A host below one of these is
 * of the same service.
 */
const PUSH_SERVICES = [
  "fcm.googleapis.com",
  "push.services.mozilla.com",
  "notify.windows.com",
  "push.apple.com",
];

/**
 * Whether we may send push messages to this endpoint: https on the default port of a known push service. The
 * endpoint comes from the client, which could name any address (SSRF).
 * @param moreHosts what the deployment allows beside the known services
 */
export function isPushEndpoint(endpoint: string, moreHosts: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password, hash } = new URL(endpoint);
  if (protocol !== "https:" || port !== "" || username !== "" || password !== "" || hash !== "") return false;
  // A trailing dot names the same host.
  const host = hostname.toLowerCase().replace(/\.$/, "");
  return [...PUSH_SERVICES, ...moreHosts].some((known) => host === known || host.endsWith(`.${known}`));
}
