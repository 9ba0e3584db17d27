import { afterEach, expect, it, vi } from "vitest";
import { createSms } from "../../durable/messaging/sms.ts";

const settings = {
  baseUrl: "https://api.twilio.example/",
  accountSid: "AC0123",
  authToken: "s3cret",
  from: "+15550100100",
};
const text = {
  to: "+15550100140",
  body: "Bloco capturado: 9:00 às 12:30 & mais",
  reportTo: "https://jornada.example/webhooks/texts/status?text=1",
};

function answering(
  reply: (request: Request) => Response | Promise<Response>,
  { from, sender }: Pick<Parameters<typeof createSms>[0], "from" | "sender"> = {
    from: settings.from,
    sender: "number",
  },
) {
  const requests: Request[] = [];
  const send = async (request: Request) => {
    requests.push(request.clone());
    return reply(request);
  };
  return {
    sms: createSms({ ...settings, from, sender, send, note: () => {}, inTurn: (call) => call() }),
    requests,
  };
}

afterEach(() => {
  vi.useRealTimers();
});

it("posts the text as a form, with basic auth", async () => {
  const { sms, requests } = answering(() => Response.json({ sid: "SM1", status: "queued" }, { status: 201 }));
  expect(await sms.sendText(text)).toEqual({ kind: "sent", id: "SM1" });
  const [request] = requests;
  expect(request?.method).toBe("POST");
  expect(request?.url).toBe("https://api.twilio.example/2010-04-01/Accounts/AC0123/Messages.json");
  expect(request?.headers.get("authorization")).toBe(`Basic ${btoa("AC0123:s3cret")}`);
  expect(request?.headers.get("content-type")).toBe("application/x-www-form-urlencoded;charset=UTF-8");
  expect(Object.fromEntries(new URLSearchParams(await request?.text()))).toEqual({
    To: "+15550100140",
    From: "+15550100100",
    Body: text.body,
    StatusCallback: text.reportTo,
  });
});

it("asks for no report where none could be told from a forged one", async () => {
  const { sms, requests } = answering(() => Response.json({ sid: "SM1" }, { status: 201 }));
  await sms.sendText({ ...text, reportTo: null });
  expect(new URLSearchParams(await requests[0]?.text()).has("StatusCallback")).toBe(false);
});

it("sends by a messaging service if one is configured instead of a number", async () => {
  const service = `MG${"0".repeat(32)}`;
  const { sms, requests } = answering(() => Response.json({ sid: "SM1" }, { status: 201 }), {
    from: service,
    sender: "service",
  });
  await sms.sendText(text);
  const form = new URLSearchParams(await requests[0]?.text());
  expect([form.get("MessagingServiceSid"), form.get("From")]).toEqual([service, null]);
});

it("treats an accepted text as sent even if the response is malformed", async () => {
  const { sms } = answering(() => new Response("<html>", { status: 201 }));
  expect(await sms.sendText(text)).toEqual({ kind: "sent", id: null });
});

it.each([200, 201, 299])("has sent a text that is answered with %i", async (status) => {
  const { sms } = answering(() => Response.json({ sid: "SM1" }, { status }));
  expect(await sms.sendText(text)).toEqual({ kind: "sent", id: "SM1" });
});

it.each([
  [300, 0, "request"],
  [400, 21610, "stopped"],
  [400, 21606, "request"],
  // A country that is switched off, a route that there isn't: nothing that the number could mend.
  [400, 21408, "request"],
  [400, 21612, "request"],
  [400, 0, "request"],
  [401, 20003, "credentials"],
  [403, 20003, "credentials"],
  [404, 20404, "credentials"],
  [429, 20429, "busy"],
  [500, 20500, "gateway"],
  [503, 20503, "busy"],
])("fails on %i with code %i for the reason %s", async (status, code, reason) => {
  const { sms } = answering(() =>
    Response.json({ code, message: `The 'To' number ${text.to} is not valid` }, { status }),
  );
  // Retryable only if it was certainly not sent, and may work later.
  expect(await sms.sendText(text)).toEqual({ kind: "failed", reason, retryable: reason === "busy" });
});

it.each([
  [21211, "unknown_number"],
  [21268, "unknown_number"],
  [21614, "landline"],
  [21635, "landline"],
])("says what is wrong with a number that it refuses by code %i", async (code, problem) => {
  const { sms } = answering(() => Response.json({ code }, { status: 400 }));
  const refused = { kind: "failed", reason: "number", problem, retryable: false };
  expect(await sms.sendText(text)).toEqual(refused);
});

it("is not retryable after a broken connection or a timeout of 10 s, since the text may have been sent", async () => {
  const broken = answering(() => Promise.reject(new TypeError("fetch failed")));
  expect(await broken.sms.sendText(text)).toEqual({
    kind: "failed",
    reason: "unreachable",
    retryable: false,
  });
  vi.useFakeTimers();
  const silent = answering(() => new Promise(() => undefined));
  const answer = silent.sms.sendText(text);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await answer).toEqual({ kind: "failed", reason: "timeout", retryable: false });
});

it("has its whole time from when it leaves, however long it waited for its turn", async () => {
  vi.useFakeTimers();
  const events: string[] = [];
  const sms = createSms({
    ...settings,
    sender: "number",
    note: () => {},
    inTurn: async (call) => {
      await vi.advanceTimersByTimeAsync(60_000);
      events.push("its turn");
      return call();
    },
    send: async () => {
      events.push("sent");
      await vi.advanceTimersByTimeAsync(9_999);
      return Response.json({ sid: "SM1" }, { status: 201 });
    },
  });
  const result = await sms.sendText({ ...text, onLeave: () => events.push("leaves") });
  expect([result, events]).toEqual([{ kind: "sent", id: "SM1" }, ["its turn", "leaves", "sent"]]);
});
