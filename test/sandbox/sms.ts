import { Hono } from "hono";
import { z } from "zod";
import { readBody } from "./problem.ts";
import { actOnWord, messageOf, reportsOf, sendPost, signPost } from "./sms-reports.ts";
import type { SmsText, Stage } from "./state.ts";
import { deliver } from "./inbox.ts";

const numberChange = z.strictObject({ number: z.string(), code: z.int().nullable() });
const endpoint = z.strictObject({ url: z.url().nullable() });
const incoming = z.strictObject({
  from: z.string(),
  to: z.string().default("+15550100000"),
  body: z.string(),
  /** The gateway's reply to the word, if the operator has keywords of their own. */
  optOutType: z.enum(["STOP", "START", "HELP"]).optional(),
});

/** Codes that refuse a text at once; all others are reported later. */
const REFUSED_AT_ONCE = new Set([21211, 21214, 21217, 21265, 21268, 21408, 21612, 21614, 21635]);
const STOPPED = 21610;

/**
 * The SMS gateway with Twilio's API, its inbox, and its posts.
 *
 * POST /sandbox/sms/endpoint { url }: where texts from phones are posted. Only then are reports posted, too.
 * POST /sandbox/sms/numbers { number, code }: why texts to a number fail, by one of Twilio's error codes; null: they don't.
 * GET  /sandbox/sms/numbers: the numbers whose texts fail.
 * POST /sandbox/sms/incoming { from, to?, body, optOutType? }: a text from a phone. Without an endpoint the signed post
 *   is in the answer.
 * GET  /sandbox/sms/reports?to=&ending=: the signed reports of the texts to a number, newest text first; ending is
 *   another last status.
 */
export function smsRoutes(stage: Stage) {
  const { state, now } = stage;
  const endpointOf = () => state.smsEndpoints.get("incoming") ?? null;
  return new Hono()
    .post("/2010-04-01/Accounts/:sid/:resource{Messages\\.json}", async (c) => {
      const sid = c.req.param("sid");
      if (!isSigned(c.req.header("authorization"), sid)) return refuse(401, 20003, "Authenticate");
      if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header("content-type") ?? ""))
        return refuse(400, 21604, "A 'To' phone number is required.");
      const form = new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer()));
      const to = form.get("To") ?? "";
      const from = form.get("From") ?? form.get("MessagingServiceSid") ?? "";
      const body = form.get("Body") ?? "";
      if (to === "") return refuse(400, 21604, "A 'To' phone number is required.");
      if (from === "") return refuse(400, 21603, "A 'From' phone number is required.");
      const refusal =
        senderRefusal(form) ?? (to === from ? [21266, "'To' and 'From' number cannot be the same"] : null);
      if (refusal) return refuse(400, ...refusal);
      const callback = form.get("StatusCallback");
      if (callback !== null && !isWebAddress(callback))
        return refuse(400, 21609, `The 'StatusCallback' URL ${callback} is not a valid URL.`);
      if (body === "") return refuse(400, 21602, "Message body is required.");
      if (!/^\+[1-9]\d{6,14}$/.test(to)) return refuse(400, 21211, `Invalid 'To' Phone Number: ${to}`);
      if (body.length > 1600)
        return refuse(400, 21617, "The concatenated message body exceeds the 1600 character limit.");
      const { code: fate, isStopped } = state.smsNumbers.get(to) ?? { code: null, isStopped: false };
      // A messaging service takes the text, and fails it once it has chosen a sender.
      if (isStopped && !form.has("MessagingServiceSid"))
        return refuse(400, STOPPED, "Attempt to send to unsubscribed recipient");
      const code = isStopped ? STOPPED : fate;
      if (code !== null && REFUSED_AT_ONCE.has(code)) return refuse(400, code, `'To' number ${to}`);
      if (code === null) deliver(state, { to, from, body }, now());
      const messageSid = `SM${crypto.randomUUID().replaceAll("-", "")}`;
      const text = { sid: messageSid, to, from, at: now(), callback, code };
      state.smsTexts.set(messageSid, text);
      if (endpointOf() !== null) void postReports(text);
      const date = new Date(now()).toUTCString().replace("GMT", "+0000");
      return c.json(
        {
          sid: messageSid,
          account_sid: sid,
          messaging_service_sid: form.get("MessagingServiceSid"),
          to,
          from: form.get("From"),
          body,
          status: "queued",
          direction: "outbound-api",
          num_segments: String(Math.max(1, Math.ceil(body.length / 160))),
          num_media: "0",
          price: null,
          price_unit: "USD",
          error_code: null,
          error_message: null,
          api_version: "2010-04-01",
          date_created: date,
          date_updated: date,
          date_sent: null,
          uri: `/2010-04-01/Accounts/${sid}/Messages/${messageSid}.json`,
        },
        201,
      );
    })
    .post("/sandbox/sms/endpoint", async (c) => {
      const { url } = await readBody(c, endpoint);
      if (url === null) state.smsEndpoints.delete("incoming");
      else state.smsEndpoints.set("incoming", url);
      return c.json({ url }, 200);
    })
    .post("/sandbox/sms/numbers", async (c) => {
      const { number, code } = await readBody(c, numberChange);
      state.smsNumbers.set(number, { isStopped: false, ...state.smsNumbers.get(number), code });
      return c.body(null, 204);
    })
    .get("/sandbox/sms/numbers", (c) => {
      const numbers = state.smsNumbers
        .entries()
        .map(([number, fate]) => ({ number, ...fate }))
        .filter(({ code, isStopped }) => code !== null || isStopped);
      return c.json({ numbers }, 200);
    })
    .post("/sandbox/sms/incoming", async (c) => {
      const { from, to, body, optOutType } = await readBody(c, incoming);
      if (optOutType === undefined) actOnWord(stage, { from, to, body });
      const url = endpointOf();
      const sid = `SM${crypto.randomUUID().replaceAll("-", "")}`;
      const post = await signPost(url ?? "http://localhost:5173/webhooks/texts/incoming", {
        MessageSid: sid,
        SmsMessageSid: sid,
        AccountSid: "ACsandbox",
        From: from,
        To: to,
        Body: body,
        NumMedia: "0",
        ...(optOutType === undefined ? {} : { OptOutType: optOutType }),
      });
      const answer = url === null ? null : messageOf((await sendPost(post)) ?? "");
      if (answer !== null) deliver(state, { to: from, from: to, body: answer }, now());
      return c.json(post, 200);
    })
    .get("/sandbox/sms/reports", async (c) => {
      const to = c.req.query("to")?.replace(/^ /, "+");
      const texts = state.smsTexts
        .values()
        .filter((text) => text.to === to)
        .toReversed();
      return c.json(
        { texts: await Promise.all(texts.map((text) => reportsOf(text, c.req.query("ending")))) },
        200,
      );
    })
    .get("/sandbox/sms", (c) => {
      // An unescaped plus in the query is decoded as a space.
      const to = c.req.query("to")?.replace(/^ /, "+");
      const messages = state.messages
        .values()
        .filter((message) => to === undefined || message.to === to)
        .toReversed()
        .map(({ id, to, body, at }) => ({ id, to, body, at }));
      return c.json({ messages }, 200);
    });
}

/** Why a sender is refused: neither a number, a short code or a name, nor a messaging service. Null if it isn't. */
function senderRefusal(form: URLSearchParams): [code: number, message: string] | null {
  const service = form.get("MessagingServiceSid");
  if (service !== null && !/^MG[0-9a-f]{32}$/.test(service))
    return [21701, `The Messaging Service ${service} does not exist`];
  const from = form.get("From");
  const isSender =
    from === null || /^(?:\+[1-9]\d{6,14}|\d{5,6}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/.test(from);
  return isSender ? null : [21212, `Invalid From Number (caller ID): ${from}`];
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** One after the other, as a gateway does. */
async function postReports(text: SmsText): Promise<void> {
  for (const report of await reportsOf(text)) await sendPost(report);
}

/** Basic authentication with the account's SID or one of its API keys. */
function isSigned(header: string | undefined, sid: string): boolean {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return false;
  const [user = "", ...secret] = atob(encoded).split(":");
  return (user === sid || user.startsWith("SK")) && secret.join(":") !== "";
}

function refuse(status: 400 | 401, code: number, message: string): Response {
  return Response.json(
    { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
    { status },
  );
}
