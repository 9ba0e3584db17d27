import { deliver } from "./inbox.ts";
import type { SmsText, Stage, State } from "./state.ts";

/** The account's token, which posts are signed with. */
const AUTH_TOKEN = "sandbox";

/** Words that the gateway acts on and answers by itself, alone in a text. */
const STOP_WORDS = new Set(["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"]);
const START_WORDS = new Set(["START", "YES", "UNSTOP"]);
const HELP_WORDS = new Set(["HELP", "INFO"]);

/** A form that the gateway posts, signed for its address. */
export type SignedPost = { url: string; body: string; signature: string };

/** Signs a form: HMAC-SHA1 over the address and each field, name and value, in the order of their names. */
export async function signPost(url: string, fields: Record<string, string>): Promise<SignedPost> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode(AUTH_TOKEN),
    { name: "HMAC", hash: "SHA-1" },
    false,
    ["sign"],
  );
  const text = Object.keys(fields)
    .toSorted()
    .reduce((sum, name) => sum + name + (fields[name] ?? ""), url);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
  const signature = btoa(String.fromCharCode(...mac));
  return { url, body: new URLSearchParams(fields).toString(), signature };
}

/**
 * Every report of a text, in order: queued, sent, and how it ended.
 * @param ending another word for that
 */
export async function reportsOf(text: SmsText, ending?: string): Promise<SignedPost[]> {
  const { callback, code } = text;
  if (callback === null) return [];
  const end = ending === undefined ? (code === null ? DELIVERED : failure(code)) : { MessageStatus: ending };
  return Promise.all(
    [{ MessageStatus: "queued" }, { MessageStatus: "sent" }, end].map((status) =>
      signPost(callback, { ...fieldsOf(text), ...status, SmsStatus: status.MessageStatus }),
    ),
  );
}

const DELIVERED = { MessageStatus: "delivered" };

function failure(code: number) {
  // Of a number that was stopped the text never leaves.
  return { MessageStatus: code === 21610 ? "failed" : "undelivered", ErrorCode: String(code) };
}

function fieldsOf({ sid, to, from }: SmsText): Record<string, string> {
  return {
    MessageSid: sid,
    SmsSid: sid,
    To: to,
    From: from,
    AccountSid: "ACsandbox",
    ApiVersion: "2010-04-01",
  };
}

/** Posts a form. @returns the answer's body; null if nobody answered */
export async function sendPost({ url, body, signature }: SignedPost): Promise<string | null> {
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "x-twilio-signature": signature,
    "user-agent": "TwilioProxy/1.1",
  };
  return fetch(url, { method: "POST", headers, body, redirect: "manual" }).then(
    (response) => response.text(),
    () => null,
  );
}

/** The gateway's own reaction to a text from a phone: its list of stopped numbers, and a reply. */
export function actOnWord({ state, now }: Stage, { from, to, body }: Record<"from" | "to" | "body", string>) {
  const word = body.trim().toUpperCase();
  const answer = (text: string) => deliver(state, { to: from, from: to, body: text }, now());
  if (STOP_WORDS.has(word)) {
    answer(
      "You have successfully been unsubscribed. You will not receive any more messages from this number. Reply START to resubscribe.",
    );
    setStopped(state, from, true);
  } else if (START_WORDS.has(word)) {
    setStopped(state, from, false);
    answer("You have successfully been re-subscribed to messages from this number. Reply HELP for help.");
  } else if (HELP_WORDS.has(word)) answer("Reply STOP to unsubscribe. Msg&Data Rates May Apply.");
}

function setStopped(state: State, number: string, isStopped: boolean): void {
  const known = state.smsNumbers.get(number) ?? { code: null, isStopped };
  state.smsNumbers.set(number, { ...known, isStopped });
}

/** The text in an answer in the gateway's markup; null if there is none. */
export function messageOf(twiml: string): string | null {
  const text = /<Message>([^<]*)<\/Message>/.exec(twiml)?.[1];
  return text?.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&") ?? null;
}
