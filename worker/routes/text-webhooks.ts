import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { REPORT_ID } from "../../durable/texts/delivery.ts";
import { incomingText, textReport } from "../contract/webhooks.ts";
import type { AppEnv } from "../http/app-env.ts";
import { ApiError } from "../http/api-error.ts";
import { isSignedByGateway } from "../texts/signature.ts";
import { takeReply } from "../texts/take-reply.ts";
import { takeReport } from "../texts/take-report.ts";

const MAX_FORM_BYTES = 64 * 1024;

const limitForm = bodyLimit({
  maxSize: MAX_FORM_BYTES,
  onError: () => {
    throw new ApiError("too_large");
  },
});

/** What the text gateway reports of texts, and what phones text to us. Only what it signed is read. */
export const textWebhookRoutes = new Hono<AppEnv>()
  .post("/status", limitForm, async (c) => {
    const form = await readSignedForm(c);
    const report = textReport.safeParse(Object.fromEntries(form));
    const id = c.req.query(REPORT_ID);
    if (!report.success || id === undefined) throw new ApiError("invalid_request");
    await takeReport(c.var.deps, id, report.data);
    return c.body(null, 204);
  })
  .post("/incoming", limitForm, async (c) => {
    const form = await readSignedForm(c);
    const incoming = incomingText.safeParse(Object.fromEntries(form));
    if (!incoming.success) throw new ApiError("invalid_request");
    return c.body(toTwiml(await takeReply(c.var.deps, incoming.data)), 200, { "content-type": "text/xml" });
  });

/** @throws {ApiError} `forbidden` if the gateway did not sign it for this address */
async function readSignedForm(c: Context<AppEnv>): Promise<URLSearchParams> {
  const { sms, publicUrl } = c.var.deps.config;
  const form = new URLSearchParams(await c.req.text());
  const { pathname, search } = new URL(c.req.url);
  const signature = c.req.header("x-twilio-signature") ?? "";
  // The address that the gateway was told, which is not the one that a proxy passes on.
  const url = `${publicUrl}${pathname}${search}`;
  if (!sms || !(await isSignedByGateway({ url, form, signature }, sms.authToken)))
    throw new ApiError("forbidden");
  return form;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** The answer in the gateway's markup. */
function toTwiml(text: string | null): string {
  const message =
    text === null
      ? ""
      : `<Message>${text.replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? character)}</Message>`;
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${message}</Response>`;
}
