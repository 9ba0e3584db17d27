import { afterAll, beforeAll, expect, it } from "vitest";
import { startSandbox } from "../sandbox-server.ts";

let server: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  server = await startSandbox();
});
afterAll(() => server.stop());

const GOOD = { To: "+15550100141", From: "+15550100000", Body: "Hello" };
const SIGNED = { authorization: `Basic ${btoa("ACsandbox:sandbox")}` };

async function send(form: Record<string, string>, headers: Record<string, string> = SIGNED) {
  const answer = await fetch(`${server.url}/2010-04-01/Accounts/ACsandbox/Messages.json`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(form).toString(),
  });
  const { code } = (await answer.json()) as { code?: number };
  return [answer.status, code];
}

it.each([
  ["no recipient", { To: "" }, 21604],
  ["a recipient that is no number", { To: "555" }, 21211],
  ["no sender", { From: "" }, 21603],
  ["a sender that is no number, code or name", { From: "+1" }, 21212],
  ["a sender with too long a name", { From: "Jornada of everybody" }, 21212],
  ["a messaging service that is none", { MessagingServiceSid: "MG1" }, 21701],
  ["the sender's own number", { To: "+15550100000" }, 21266],
  ["no text", { Body: "" }, 21602],
  ["a text that is too long", { Body: "x".repeat(1601) }, 21617],
  ["a report to no address", { StatusCallback: "/webhooks/texts" }, 21609],
  ["a report to an address of another kind", { StatusCallback: "ftp://example.com/" }, 21609],
])("the text gateway rejects %s", async (_what, change, code) => {
  expect(await send({ ...GOOD, ...change })).toEqual([400, code]);
});

it("the text gateway takes a number, a short code, a name or a service as sender", async () => {
  const service = `MG${"0".repeat(32)}`;
  const senders: Record<string, string>[] = [
    {},
    { From: "55501" },
    { From: "Jornada" },
    { MessagingServiceSid: service },
  ];
  const answers = await Promise.all(senders.map((sender) => send({ ...GOOD, ...sender })));
  expect(answers.map(([status]) => status)).toEqual([201, 201, 201, 201]);
});

it("the text gateway takes a service's text to a number that replied STOP, and reports that it failed", async () => {
  const to = "+15550100142";
  const post = (path: string, body: object) =>
    fetch(`${server.url}${path}`, { method: "POST", body: JSON.stringify(body) });
  await post("/sandbox/sms/incoming", { from: to, body: "STOP" });
  const StatusCallback = "https://jornada.test/webhooks/texts/status?text=1";
  expect(await send({ ...GOOD, To: to, StatusCallback })).toEqual([400, 21610]);
  const { From: _from, ...text } = GOOD;
  const service = { MessagingServiceSid: `MG${"0".repeat(32)}` };
  expect(await send({ ...text, ...service, To: to, StatusCallback })).toEqual([201, undefined]);
  const answer = await fetch(`${server.url}/sandbox/sms/reports?to=${encodeURIComponent(to)}`);
  const { texts } = (await answer.json()) as { texts: { body: string }[][] };
  const last = new URLSearchParams(texts[0]?.at(-1)?.body);
  expect([last.get("MessageStatus"), last.get("ErrorCode")]).toEqual(["failed", "21610"]);
});

it("the text gateway rejects callers that it doesn't know, and bodies that aren't a form", async () => {
  expect(await send(GOOD, {})).toEqual([401, 20003]);
  expect(await send(GOOD, { authorization: `Basic ${btoa("ACother:sandbox")}` })).toEqual([401, 20003]);
  expect(await send(GOOD, { ...SIGNED, "content-type": "application/json" })).toEqual([400, 21604]);
});

it("the chat has no widget for an unknown website, and takes no contact without a good signature", async () => {
  const base = `${server.url}/sandbox/chatwoot`;
  expect((await fetch(`${base}/widget?website_token=other`)).status).toBe(404);
  const contact = async (body: object) =>
    (await fetch(`${base}/contact`, { method: "POST", body: JSON.stringify(body) })).status;
  const identifier = "jornada-+15550100141";
  expect([
    await contact({}),
    await contact({ identifier }),
    await contact({ identifier, identifier_hash: "0".repeat(64) }),
  ]).toEqual([422, 401, 401]);
});
