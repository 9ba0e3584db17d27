import { Hono } from "hono";
import type { EpochMs, Message, Stage, State } from "./state.ts";
import { nextId } from "./ids.ts";

/** Adds a text, or an e-mail that the platform sends, to the inbox. */
export function deliver(state: State, mail: Pick<Message, "to" | "from" | "body">, now: EpochMs): Message {
  const message = { id: nextId(state, "msg"), ...mail, at: now };
  state.messages.set(message.id, message);
  return message;
}

/** The SMS gateway with Twilio's API, and its inbox. */
export function smsRoutes({ state, now }: Stage) {
  return new Hono()
    .post("/2010-04-01/Accounts/:sid/:resource{Messages\\.json}", async (c) => {
      const sid = c.req.param("sid");
      if (!isSigned(c.req.header("authorization"), sid)) return refuse(401, 20003, "Authenticate");
      const form = new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer()));
      const to = form.get("To") ?? "";
      const from = form.get("From") ?? form.get("MessagingServiceSid") ?? "";
      const body = form.get("Body") ?? "";
      if (to === "") return refuse(400, 21604, "A 'To' phone number is required.");
      if (from === "") return refuse(400, 21603, "A 'From' phone number is required.");
      if (body === "") return refuse(400, 21602, "Message body is required.");
      if (!/^\+[1-9]\d{6,14}$/.test(to)) return refuse(400, 21211, `Invalid 'To' Phone Number: ${to}`);
      if (body.length > 1600)
        return refuse(400, 21617, "The concatenated message body exceeds the 1600 character limit.");
      deliver(state, { to, from, body }, now());
      const messageSid = `SM${crypto.randomUUID().replaceAll("-", "")}`;
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
