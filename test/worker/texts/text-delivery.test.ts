import { env, SELF } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import type { ErrorResponse } from "../../../worker/contract/error-response.ts";
import type { TextsResponse } from "../../../worker/contract/account/notifications.ts";
import { postJson } from "../../support/sandbox-client.ts";
import { apiTarget, createDriver, resetPlatform, type TestDriver } from "../harness.ts";

type SignedPost = { url: string; body: string; signature: string };

const TEXTS = "/flex/v1/user/texts";

beforeEach(() => resetPlatform());

const texts = ({ client }: TestDriver) => client.fetchJson<TextsResponse>("GET", TEXTS);
const deliveryOf = async (driver: TestDriver) => (await texts(driver)).delivery;
const failWith = (driver: TestDriver, code: number | null) =>
  apiTarget.fetch(`${apiTarget.origin}/sandbox/sms/numbers`, {
    method: "POST",
    body: JSON.stringify({ number: driver.phoneNumber, code }),
  });

async function test(driver: TestDriver): Promise<[number, string | null]> {
  const answer = await driver.client.call("POST", `${TEXTS}/test`);
  const text = await answer.text();
  return [answer.status, text === "" ? null : (JSON.parse(text) as ErrorResponse).code];
}

/** Posts a form as the gateway signed it, with changes that it did not sign. */
async function post({ url, body, signature }: SignedPost, change: { body?: string } = {}): Promise<Response> {
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "x-twilio-signature": signature,
  };
  return SELF.fetch(url, { method: "POST", headers, body: change.body ?? body });
}

/** The reports of the latest text to a driver. */
async function reports({ phoneNumber: to }: TestDriver, more = {}): Promise<SignedPost[]> {
  const query = new URLSearchParams({ to, ...more });
  const answer = await SELF.fetch(`${apiTarget.origin}/sandbox/sms/reports?${query}`);
  const { texts: sent } = await answer.json<{ texts: SignedPost[][] }>();
  return sent[0] ?? [];
}

async function report(driver: TestDriver): Promise<void> {
  for (const one of await reports(driver)) expect((await post(one)).status).toBe(204);
}

/** As if an hour had passed, after which the driver's token would have expired. */
const forgetLimits = () => env.DB.prepare("DELETE FROM text_counts").run();

/** A text from the driver's phone. @returns the answer */
async function textFrom({ phoneNumber: from }: TestDriver, body: string, more = {}): Promise<string | null> {
  const signed = await postJson<SignedPost>(apiTarget, "/sandbox/sms/incoming", { from, body, ...more });
  const answer = await post(signed);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/xml"]);
  return /<Message>(.*)<\/Message>/.exec(await answer.text())?.[1] ?? null;
}

async function inbox({ phoneNumber }: TestDriver): Promise<string[]> {
  const answer = await SELF.fetch(`${apiTarget.origin}/sandbox/sms?to=${encodeURIComponent(phoneNumber)}`);
  const { messages } = await answer.json<{ messages: { body: string }[] }>();
  return messages.map(({ body }) => body);
}

describe("reports of texts", () => {
  it("say nothing as long as texts arrive", async () => {
    const driver = await createDriver();
    expect(await test(driver)).toEqual([204, null]);
    await report(driver);
    expect(await texts(driver)).toEqual({
      phoneNumber: driver.phoneNumber,
      delivery: { status: "ok" },
      sender: "+15550100000",
      dailyLimit: 20,
    });
  });

  it.each([
    [30003, "unreachable"],
    [30004, "blocked"],
    [30005, "unknown_number"],
    [30006, "landline"],
    [30007, "filtered"],
    [30999, "other"],
  ])("of failure %i say why, until a text arrives", async (code, problem) => {
    const driver = await createDriver();
    await failWith(driver, code);
    await test(driver);
    await report(driver);
    expect(await deliveryOf(driver)).toMatchObject({ status: "failing", problem });
    await failWith(driver, null);
    await test(driver);
    await report(driver);
    expect(await deliveryOf(driver)).toEqual({ status: "ok" });
  });

  it("pause a number after three permanent failures, until a test that the gateway takes", async () => {
    const driver = await createDriver();
    await failWith(driver, 30006);
    for (const status of ["failing", "failing", "paused"]) {
      await test(driver);
      await report(driver);
      expect(await deliveryOf(driver)).toMatchObject({ status, problem: "landline" });
      await forgetLimits();
    }
    await failWith(driver, null);
    await test(driver);
    expect(await deliveryOf(driver)).toMatchObject({ status: "failing" });
    await report(driver);
    expect(await deliveryOf(driver)).toEqual({ status: "ok" });
  });

  it("pause a number that failed at once, too, and at the first failure after a test", async () => {
    const driver = await createDriver();
    await failWith(driver, 21614);
    for (const _ of [1, 2, 3]) {
      expect(await test(driver)).toEqual([503, "text_not_sent"]);
      await forgetLimits();
    }
    expect(await deliveryOf(driver)).toMatchObject({ status: "paused", problem: "landline" });
    await failWith(driver, 30005);
    await test(driver);
    expect(await deliveryOf(driver)).toMatchObject({ status: "failing" });
    await report(driver);
    expect(await deliveryOf(driver)).toMatchObject({ status: "paused", problem: "unknown_number" });
  });

  it("count once, however often and in whatever order they come", async () => {
    const driver = await createDriver();
    await failWith(driver, 30006);
    await test(driver);
    const sent = await reports(driver);
    for (const one of [...sent.toReversed(), ...sent, ...sent]) await post(one);
    expect(await deliveryOf(driver)).toMatchObject({ status: "failing" });
    // A success of an earlier text that is repeated later changes nothing either.
    const other = await createDriver();
    await test(other);
    const [, , arrived] = await reports(other);
    await report(other);
    await failWith(other, 30003);
    await test(other);
    await report(other);
    if (arrived) await post(arrived);
    expect(await deliveryOf(other)).toMatchObject({ status: "failing" });
  });

  it("are refused unless the gateway signed them for this address, and for texts that we sent", async () => {
    const driver = await createDriver();
    await failWith(driver, 30006);
    await test(driver);
    const last = (await reports(driver)).at(-1);
    if (!last) throw new Error("no report");
    const forged = [
      await post({ ...last, signature: "" }),
      await post({ ...last, signature: btoa("x".repeat(20)) }),
      await post(last, { body: last.body.replace("30006", "30003") }),
      await post({ ...last, url: last.url.replace(/text=.*/, "text=other") }),
      await post({ ...last, url: `${apiTarget.origin}/webhooks/texts/incoming` }),
    ];
    expect(forged.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(await deliveryOf(driver)).toEqual({ status: "ok" });
    await env.DB.prepare("DELETE FROM sent_texts").run();
    expect((await post(last)).status).toBe(204);
    expect(await deliveryOf(driver)).toEqual({ status: "ok" });
  });

  it("with a status that we don't know are kept as such", async () => {
    const driver = await createDriver();
    await test(driver);
    const statuses = async () => {
      const query = env.DB.prepare("SELECT status FROM sent_texts WHERE account = ?").bind(driver.driverId);
      return (await query.all<{ status: string }>()).results.map(({ status }) => status);
    };
    for (const one of await reports(driver, { ending: "teleported" })) await post(one);
    expect([await statuses(), await deliveryOf(driver)]).toEqual([["other"], { status: "ok" }]);
    await report(driver);
    expect(await statuses()).toEqual(["delivered"]);
  });
});

describe("a test text", () => {
  it("is limited to three an hour", async () => {
    const driver = await createDriver();
    for (const _ of [1, 2, 3]) expect(await test(driver)).toEqual([204, null]);
    expect(await test(driver)).toEqual([429, "rate_limited"]);
    expect(await inbox(driver)).toHaveLength(3);
  });
});

describe("STOP", () => {
  it.each(["STOP", "Parar", "Sair", "stop texting me"])(
    "by '%s' ends all texts, START brings them back",
    async (word) => {
      const driver = await createDriver();
      await test(driver);
      await textFrom(driver, word);
      expect(await deliveryOf(driver)).toMatchObject({ status: "stopped" });
      expect(await test(driver)).toEqual([409, "texts_stopped"]);
      expect((await inbox(driver)).filter((body) => body.includes("test text"))).toHaveLength(1);
      await textFrom(driver, "START");
      expect(await deliveryOf(driver)).toEqual({ status: "ok" });
      expect(await test(driver)).toEqual([204, null]);
    },
  );

  it("is answered once: by the gateway, or in the driver's language by us", async () => {
    const driver = await createDriver();
    await driver.client.patchUser({ language: "pt", updateLanguage: true });
    expect(await textFrom(driver, "STOP")).toBeNull();
    expect(await textFrom(driver, "sair")).toBe(
      "Jornada: paramos de enviar mensagens para este celular. Responda START para receber de novo.",
    );
    expect(await textFrom(driver, "PARAR", { optOutType: "STOP" })).toBeNull();
    expect(await textFrom(driver, "voltar")).toContain("voltam a chegar");
    expect(await textFrom(driver, "ajuda")).toContain("Ajuda: http://localhost:5173/contact");
    // From a number that is nobody's, in the language of the word; and no machine talks to us for ever.
    const stranger = { ...driver, phoneNumber: "+15550199999" };
    const answers = [];
    for (let i = 0; i < 5; i++) answers.push(await textFrom(stranger, "ayuda"));
    expect(answers.map((answer) => answer?.includes("responde STOP") ?? null)).toEqual([
      true,
      true,
      true,
      null,
      null,
    ]);
  });

  it("that is repeated does not undo a START", async () => {
    const driver = await createDriver();
    const from = driver.phoneNumber;
    const stop = await postJson<SignedPost>(apiTarget, "/sandbox/sms/incoming", { from, body: "PARAR" });
    await post(stop);
    await textFrom(driver, "START");
    await post(stop);
    expect(await deliveryOf(driver)).toEqual({ status: "ok" });
  });

  it("that only the gateway heard of is learned from its refusal", async () => {
    const driver = await createDriver();
    await postJson<SignedPost>(apiTarget, "/sandbox/sms/incoming", {
      from: driver.phoneNumber,
      body: "STOP",
    });
    expect(await test(driver)).toEqual([409, "texts_stopped"]);
    expect(await deliveryOf(driver)).toMatchObject({ status: "stopped" });
  });

  it("stops codes too, and says so", async () => {
    const driver = await createDriver();
    const preferredPhoneNumber = `+1555${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`;
    await driver.client.patchUser({ updateProfile: true, name: "Ana", preferredPhoneNumber });
    await textFrom({ ...driver, phoneNumber: preferredPhoneNumber }, "baja");
    const answer = await driver.client.call("POST", "/flex/v1/user/preferred-phone/code");
    expect([answer.status, (await answer.json<ErrorResponse>()).code]).toEqual([409, "texts_stopped"]);
    // The driver doesn't see facts about an unproved number.
    expect(await texts(driver)).toMatchObject({
      phoneNumber: driver.phoneNumber,
      delivery: { status: "ok" },
    });
  });

  it("is in the export, and stays when the account goes; failures and reports go", async () => {
    const driver = await createDriver();
    await failWith(driver, 30006);
    await test(driver);
    await report(driver);
    await textFrom(driver, "baja");
    const exported = await driver.client.fetchJson<Record<string, unknown[]>>("GET", "/flex/v1/user/export");
    const { phoneNumber } = driver;
    expect(exported).toMatchObject({
      texts: [{ phoneNumber, status: "undelivered" }],
      textFailures: [{ phoneNumber, problem: "landline" }],
      textReplies: [{ phoneNumber, word: "stop" }],
    });
    expect((await driver.client.call("DELETE", "/flex/v1/user")).status).toBe(204);
    const count = async (table: string) =>
      env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE phone_number = ?`)
        .bind(phoneNumber)
        .first<number>("n");
    expect(await Promise.all(["sent_texts", "text_failures", "text_replies"].map(count))).toEqual([0, 0, 1]);
  });
});
