import * as z from "zod";
import { toBase64 } from "../base64.ts";
import type { DurationMs } from "../engine/units.ts";
import { exchange } from "../platform/exchange.ts";
import type { Send } from "../send.ts";

const LIMIT_MS: DurationMs = 10_000;

/**
 * `sent`: the gateway took it; `id` is its own, null where it did not say. `failed` with
 * `retryable`: it certainly was not sent and may be tried again. Where that can't be known (a
 * timeout, a broken connection, most 5xx) `retryable` is false, because the gateway knows no
 * idempotency key and nobody is to be told twice.
 */
export type SmsAnswer = { kind: "sent"; id: string | null } | { kind: "failed"; retryable: boolean };

/** Texts to phones. */
export type Sms = {
  /** Sends one text. `to` is E.164. Never throws; neither number nor words are in any answer. */
  sendText(text: { to: string; body: string }): Promise<SmsAnswer>;
};

const message = z.object({ sid: z.string().min(1) });

/**
 * Twilio's Messages API (version 2010-04-01).
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
      const arrived = await exchange(
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
        { send, limitMs: LIMIT_MS },
      );
      if (arrived.kind !== "arrived") return { kind: "failed", retryable: false };
      const { status, text } = arrived;
      if (status >= 200 && status < 300) return { kind: "sent", id: readId(text) };
      return { kind: "failed", retryable: status === 429 || status === 503 };
    },
  };
}

function readId(text: string): string | null {
  try {
    return message.safeParse(JSON.parse(text)).data?.sid ?? null;
  } catch {
    return null;
  }
}
