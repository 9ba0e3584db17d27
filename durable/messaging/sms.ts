import * as z from "zod";
import type { DurationMs } from "../../db/shapes/units.ts";
import {
  isAboutNumber,
  type TextProblem,
  textStatus,
  type TextStatus,
} from "../../db/shapes/text-delivery.ts";
import { toBase64 } from "../runtime/base64.ts";
import { httpExchange } from "../platform/http-exchange.ts";
import type { NoteFailure } from "../runtime/call-failure.ts";
import type { InTurn } from "../runtime/lane.ts";
import type { Send } from "../runtime/send.ts";

const TIMEOUT_MS: DurationMs = 10_000;

/** The number's owner replied STOP, which the gateway knows by itself. */
export const STOPPED_CODE = 21610;

/**
 * Why a text was not sent. `number`: the gateway refuses this number, others work. `stopped`: its owner replied STOP.
 * `credentials`: it doesn't know us.
 * `request`: it refuses what we ask, as a sender that isn't ours. `busy`: too many texts at once. `gateway`, `timeout`,
 * `unreachable`: it is in trouble, and the text may have been sent all the same.
 */
export type SmsFailure =
  | "number"
  | "stopped"
  | "credentials"
  | "request"
  | "busy"
  | "gateway"
  | "timeout"
  | "unreachable";

/**
 * `sent`: the gateway accepted the message; `id` is the gateway's own, null if it gave none. `failed` with
 * `retryable`: the message was certainly not sent and may be tried again. If that is unknown (a timeout, a broken
 * connection, most 5xx) `retryable` is false: the gateway has no idempotency keys, and nobody should get the
 * same text twice.
 */
export type SmsResult =
  | { kind: "sent"; id: string | null }
  | { kind: "failed"; reason: Exclude<SmsFailure, "number">; retryable: boolean }
  | { kind: "failed"; reason: "number"; problem: TextProblem; retryable: false };

/** Whether a text that failed may have been sent all the same. */
export function mayHaveArrived(reason: SmsFailure): boolean {
  return reason === "gateway" || reason === "timeout" || reason === "unreachable";
}

/** Sends text messages. */
export type Sms = {
  /**
   * Sends one text. Never throws; results contain neither number nor body.
   * @param text.to E.164
   * @param text.reportTo where the gateway reports what became of it; null for no reports
   * @param text.onLeave called just before it leaves
   */
  sendText(text: {
    to: string;
    body: string;
    reportTo: string | null;
    onLeave?: () => void;
  }): Promise<SmsResult>;
};

const message = z.object({ sid: z.string().min(1) });
const refusal = z.object({ code: z.number() });

/**
 * A client of Twilio's Messages API (version 2010-04-01).
 * @param options.from a number in E.164, a short code, or the id of a messaging service, as `sender` says
 */
export function createSms({
  baseUrl,
  accountSid,
  authToken,
  from,
  sender,
  send,
  note,
  inTurn,
}: {
  baseUrl: string;
  accountSid: string;
  authToken: string;
  from: string;
  sender: "number" | "short_code" | "service";
  send: Send;
  note: NoteFailure;
  inTurn: InTurn;
}): Sms {
  const root = baseUrl.replace(/\/+$/, "");
  const url = `${root}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const authorization = `Basic ${toBase64(new TextEncoder().encode(`${accountSid}:${authToken}`))}`;
  const senderField = sender === "service" ? "MessagingServiceSid" : "From";

  return {
    async sendText({ to, body, reportTo, onLeave }) {
      const form = { To: to, [senderField]: from, Body: body };
      const received = await inTurn(() => {
        onLeave?.();
        return httpExchange(
          {
            url,
            method: "POST",
            headers: {
              accept: "application/json",
              authorization,
              "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
            },
            body: new URLSearchParams(
              reportTo === null ? form : { ...form, StatusCallback: reportTo },
            ).toString(),
          },
          { send, note, limitMs: TIMEOUT_MS },
        );
      });
      if (received.kind === "unreadable" || received.kind === "too_long") return failed("gateway");
      if (received.kind !== "arrived") return failed(received.kind);
      const { status, text } = received;
      if (status >= 200 && status < 300) return { kind: "sent", id: parseMessageId(text) };
      return failureOf(status, text);
    },
  };
}

function failed(reason: Exclude<SmsFailure, "number">): SmsResult {
  return { kind: "failed", reason, retryable: reason === "busy" };
}

function failureOf(status: number, text: string): SmsResult {
  if (status === 401 || status === 403 || status === 404) return failed("credentials");
  if (status === 429 || status === 503) return failed("busy");
  if (status >= 500) return failed("gateway");
  const code = parseErrorCode(text);
  if (code === STOPPED_CODE) return failed("stopped");
  const problem = problemOf(code);
  if (!isAboutNumber(problem)) return failed("request");
  return { kind: "failed", reason: "number", problem, retryable: false };
}

function parseMessageId(text: string): string | null {
  return message.safeParse(parseJson(text)).data?.sid ?? null;
}

function parseErrorCode(text: string): number | null {
  return refusal.safeParse(parseJson(text)).data?.code ?? null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * The gateway's error codes about a number, in answers and in reports: https://www.twilio.com/docs/api/errors. Those about
 * the sender or the account (a country that is switched off, a route that there isn't) are not among them.
 */
const PROBLEMS: ReadonlyMap<number, TextProblem> = new Map([
  [21211, "unknown_number"],
  [21214, "unknown_number"],
  [21217, "unknown_number"],
  [21265, "unknown_number"],
  [21268, "unknown_number"],
  [21614, "landline"],
  [21635, "landline"],
  [30003, "unreachable"],
  [30004, "blocked"],
  [30005, "unknown_number"],
  [30006, "landline"],
  [30007, "filtered"],
]);

/** The meaning of an error code; `other` if it tells nothing about the number. */
export function problemOf(code: number | null): TextProblem {
  return (code === null ? undefined : PROBLEMS.get(code)) ?? "other";
}

/** A status in the gateway's words; a word that we don't know is `other`. */
export function parseTextStatus(word: string): TextStatus {
  return textStatus.safeParse(word).data ?? "other";
}
