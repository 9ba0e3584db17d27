import { expect, it } from "vitest";
import { textWebhookRoutes } from "../../../worker/routes/webhooks.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { openTexts } from "../texts-harness.ts";
import { appWith } from "../app-with.ts";

const ANA = "+12125550100";

/** Posts a form to a path of ours as the gateway does: signed over the address and the fields. */
async function post(
  path: string,
  fields: Record<string, string>,
  {
    isSigned = true,
    token = DEMO_SETTINGS.TWILIO_AUTH_TOKEN,
    settings = {},
  }: { isSigned?: boolean; token?: string; settings?: Record<string, unknown> } = {},
) {
  const { deps } = openTexts(settings);
  const url = `${DEMO_SETTINGS.PUBLIC_URL}${path}`;
  const form = new URLSearchParams(fields);
  const signed = [url, ...[...form].toSorted(([one], [other]) => (one < other ? -1 : 1)).flat()].join("");
  const hmac = { name: "HMAC", hash: "SHA-1" };
  const secret = new TextEncoder().encode(token);
  const key = await crypto.subtle.importKey("raw", secret, hmac, false, ["sign"]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(signed)));
  const app = appWith({ deps }).route("/webhooks/texts", textWebhookRoutes);
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    ...(isSigned ? { "x-twilio-signature": btoa(String.fromCharCode(...mac)) } : {}),
  };
  return app.request(url, { method: "POST", headers, body: form.toString() });
}

const STATUS = "/webhooks/texts/status";
const INCOMING = "/webhooks/texts/incoming";

it.each<[string, Record<string, string>, Record<string, string>]>([
  [STATUS, { MessageStatus: "delivered" }, { text: "required" }],
  [`${STATUS}?text=a`, { ErrorCode: "30003" }, { MessageStatus: "required" }],
  [`${STATUS}?text=a`, { MessageStatus: "failed", ErrorCode: "many" }, { ErrorCode: "invalid" }],
  [INCOMING, { MessageSid: "SM1", From: "Ana", Body: "STOP" }, { From: "invalid" }],
  [INCOMING, { MessageSid: "SM1", From: ANA }, { Body: "required" }],
])("says which part of a signed form at %s it can't read: %o", async (path, fields, issues) => {
  const response = await post(path, fields);
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { code: "invalid_request", fields: issues },
  ]);
});

it("says nothing of a form that is not signed", async () => {
  const response = await post(STATUS, {}, { isSigned: false });
  expect([response.status, await response.json()]).toMatchObject([403, { code: "forbidden" }]);
});

it("takes what it can read, and answers in the gateway's markup", async () => {
  const report = await post(`${STATUS}?text=a`, { MessageStatus: "delivered", To: ANA });
  const reply = await post(INCOMING, { MessageSid: "SM1", From: ANA, Body: "ayuda" });
  expect([report.status, await report.text()]).toEqual([204, ""]);
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/xml"]);
  expect(await reply.text()).toContain("<Response><Message>");
});

it.each([
  ["new", 200],
  ["old", 200],
  ["former", 403],
])(
  "takes a STOP that is signed with the %s token while one replaces the other: %i",
  async (token, status) => {
    const settings = { TWILIO_AUTH_TOKEN: "new, old" };
    const stop = { MessageSid: "SM1", From: ANA, Body: "STOP" };
    expect((await post(INCOMING, stop, { token, settings })).status).toBe(status);
  },
);
