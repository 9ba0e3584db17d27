import * as z from "zod";
import { toBase64 } from "../runtime/base64.ts";
import type { DurationMs } from "../../db/shapes/units.ts";
import { httpExchange } from "../platform/http-exchange.ts";
import type { Send } from "../runtime/send.ts";

const TIMEOUT_MS: DurationMs = 10_000;

/**
 * `sent`: the gateway accepted the message; `id` is the gateway's own, null if it gave none. `failed` with
 * `retryable`: the message was certainly not sent and may be tried again. If that is unknown (a timeout, a broken
 * connection, most 5xx) `retryable` is false: the gateway has no idempotency keys, and nobody should get the
 * same text twice.
 */
export type SmsResult = { kind: "sent"; id: string | null } | { kind: "failed"; retryable: boolean };

/** Sends text messages. */
export type Sms = {
  /** Sends one text. `to` is E.164. Never throws; results contain neither number nor body. */
  sendText(text: { to: string; body: string }): Promise<SmsResult>;
};

const message = z.object({ sid: z.string().min(1) });

/**
 * A client of Twilio's Messages API (version 2010-04-01).
 * @param options.from a number in E.164, or the id of a messaging service (`MG…`)
 */
export function createSms({
  baseUrl,
  accountSid,
  authToken,
  from,
  send,
}: {
  baseUrl: string;
  accountSid: string;
  authToken: string;
  from: string;
  send: Send;
}): Sms {
  const root = baseUrl.replace(/\/+$/, "");
  const url = `${root}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const authorization = `Basic ${toBase64(new TextEncoder().encode(`${accountSid}:${authToken}`))}`;
  const sender = /^MG[0-9a-f]{32}$/i.test(from) ? "MessagingServiceSid" : "From";

  return {
    async sendText({ to, body }) {
      const received = await httpExchange(
        {
          url,
          method: "POST",
          headers: {
            accept: "application/json",
            authorization,
            "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
          },
          body: new URLSearchParams({ To: to, [sender]: from, Body: body }).toString(),
        },
        { send, limitMs: TIMEOUT_MS },
      );
      if (received.kind !== "arrived") return { kind: "failed", retryable: false };
      const { status, text } = received;
      if (status >= 200 && status < 300) return { kind: "sent", id: parseMessageId(text) };
      return { kind: "failed", retryable: status === 429 || status === 503 };
    },
  };
}

function parseMessageId(text: string): string | null {
  try {
    return message.safeParse(JSON.parse(text)).data?.sid ?? null;
  } catch {
    return null;
  }
}
