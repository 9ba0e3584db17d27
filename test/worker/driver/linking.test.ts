import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
} from "../../../db/shapes/notifications.ts";
import type { DriverOwner } from "../../../db/shapes/profile.ts";
import type { ErrorResponse } from "../../../worker/contract/error-response.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import type { SetupResponse } from "../../../db/shapes/work/linking.ts";
import { platformWorld, postJson } from "../../support/sandbox-client.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import {
  injectFault,
  driverObject,
  apiTarget,
  resetPlatform,
  createDriver,
  createLinkedDriver,
  whileHeld,
  type TestDriver,
} from "../harness.ts";

beforeEach(() => resetPlatform());

const login = ({ client, email }: TestDriver, password = "right") =>
  client.sealed("POST", "/flex/v1/setup/login", { email, password });
const read = ({ client }: TestDriver) => client.call("GET", "/flex/v1/setup");

async function session({ email }: TestDriver) {
  const { sessions } = await platformWorld(apiTarget);
  return sessions.filter((known) => known.email === email).at(-1)!;
}

/** Links up to the approval on the device. */
async function waiting(): Promise<TestDriver> {
  const driver = await createDriver();
  await login(driver);
  await driver.client.sealed("POST", "/flex/v1/setup/otp", { code: (await session(driver)).code });
  return driver;
}

async function decide(driver: TestDriver, word: "approve" | "deny"): Promise<void> {
  await postJson(apiTarget, `/sandbox/platform/sessions/${(await session(driver)).id}/${word}`, {});
}

async function refusal(answer: Response) {
  const { code, retryAfter, attemptsLeft } = await answer.json<ErrorResponse>();
  return { status: answer.status, code, retryAfter, attemptsLeft };
}

describe("linking", () => {
  it("reports the same step to every device", async () => {
    const driver = await createDriver();
    const steps = [await driver.client.setup()];
    steps.push(await (await login(driver)).json<SetupResponse>(), await driver.client.setup());
    const { code } = await session(driver);
    const answered = await driver.client.sealed("POST", "/flex/v1/setup/otp", { code });
    steps.push(await answered.json<SetupResponse>());
    await decide(driver, "approve");
    steps.push(await driver.client.setup(), await driver.client.setup());
    const otp = {
      step: "otp",
      channel: "email",
      destination: "d***@e***",
      expiresAt: expect.any(Number),
    };
    expect(steps).toEqual([
      { step: "credentials" },
      otp,
      otp,
      { step: "approval", expiresAt: expect.any(Number) },
      { step: "linked" },
      { step: "linked" },
    ]);
  });

  it("completes for all devices that ask concurrently after the approval", async () => {
    const driver = await waiting();
    await decide(driver, "approve");
    const answers = await Promise.all([1, 2, 3].map(() => driver.client.setup()));
    expect(answers).toEqual([{ step: "linked" }, { step: "linked" }, { step: "linked" }]);
  });

  it("says so once the record does, also while that is still being written", async () => {
    const driver = await createLinkedDriver();
    const owner: DriverOwner = {
      driverId: driver.driverId,
      phoneNumber: driver.phoneNumber,
      language: "en",
      timeZone: "America/New_York",
      notifications: DEFAULT_NOTIFICATION_PREFERENCES,
      reminders: DEFAULT_REMINDER_PREFERENCES,
    };
    const change = JSON.stringify({ kind: "record_changed", change: { proxyInstalled: true } });
    await runInDurableObject(driverObject(driver), (_object, { storage }) =>
      storage.sql.exec(`INSERT INTO outbox (value, due_at, tries, version) VALUES (?, 0, 0, 1)`, change),
    );
    await evictDurableObject(driverObject(driver));
    const asked = await runInDurableObject(driverObject(driver), async (object, { storage }) => {
      const { ok } = await object.linkStatus(owner);
      return { ok, unwritten: storage.sql.exec(`SELECT value FROM outbox`).toArray() };
    });
    expect(asked).toEqual({ ok: true, unwritten: [] });
  });

  it.each(["listWarehouses", "readDriver"])(
    "keeps the approval if %s fails afterwards",
    async (operation) => {
      const driver = await waiting();
      await decide(driver, "approve");
      await injectFault({ operation, fault: "503", times: 1 });
      expect(await refusal(await read(driver))).toMatchObject({ status: 503, code: "platform_unreachable" });
      expect(await driver.client.setup()).toEqual({ step: "linked" });
    },
  );

  it.each(["readSession", "readDriver", "listWarehouses"])(
    "ends where the driver unlinks while %s is under way",
    async (operation) => {
      const driver = await waiting();
      await decide(driver, "approve");
      let answer: Response | null = null;
      await whileHeld(
        operation,
        async () => {
          answer = await read(driver);
        },
        () => driver.client.call("DELETE", "/flex/v1/setup"),
      );
      expect(answer && (await refusal(answer))).toMatchObject({ code: "link_expired" });
      expect(await driver.client.setup()).toEqual({ step: "credentials" });
      expect((await driverObject(driver).snapshot()).isLinked).toBe(false);
      const { Item } = await driver.client.fetchJson<{ Item: User }>("GET", "/flex/v1/user");
      expect(Item.proxyInstalled).toBe(false);
      const isLinkedThere = async () =>
        (await platformWorld(apiTarget)).drivers.some(
          ({ email, linked }) => email === driver.email && linked,
        );
      await driverObject(driver).wake();
      await expect.poll(isLinkedThere).toBe(false);
    },
  );

  it.each(["readSession", "readDriver", "listWarehouses"])(
    "leaves no session at the platform where the account is deleted while %s is under way",
    async (operation) => {
      const driver = await waiting();
      await decide(driver, "approve");
      let left: Promise<Response> | null = null;
      await whileHeld(
        operation,
        () => read(driver).catch(() => null),
        async () => {
          left = driver.client.call("DELETE", "/flex/v1/user");
          await expect.poll(() => driverObject(driver).linkingEmail()).toBeNull();
        },
      );
      expect(await left).toMatchObject({ status: 204 });
      const { drivers } = await platformWorld(apiTarget);
      expect(drivers.filter(({ email, linked }) => email === driver.email && linked)).toEqual([]);
    },
  );

  it("ends when denied, which is reported once", async () => {
    const driver = await waiting();
    await decide(driver, "deny");
    expect(await refusal(await read(driver))).toMatchObject({ status: 409, code: "link_denied" });
    expect(await driver.client.setup()).toEqual({ step: "credentials" });
  });

  it("ends when it takes too long", async () => {
    const driver = await waiting();
    await resetPlatform({ reset: false, now: Date.now() + 11 * 60_000 });
    expect(await refusal(await read(driver))).toMatchObject({ status: 410, code: "link_expired" });
    expect(await driver.client.setup()).toEqual({ step: "credentials" });
  });

  it("ends if the response with the tokens is lost, since the platform returns them only once", async () => {
    const driver = await waiting();
    await decide(driver, "approve");
    await injectFault({ operation: "readSession", fault: "lost_answer", times: 1 });
    expect(await refusal(await read(driver))).toMatchObject({ code: "platform_unreachable" });
    expect(await refusal(await read(driver))).toMatchObject({ code: "link_expired" });
    expect(await driver.client.setup()).toEqual({ step: "credentials" });
  });

  it("says that the platform sent a code, and no more than that where the platform doesn't say how", async () => {
    const driver = await createDriver();
    await injectFault({ operation: "createSession", fault: "changed_field", field: ["otp"] });
    const step = await (await login(driver)).json<SetupResponse>();
    expect(step).toMatchObject({ step: "otp", channel: "other", destination: "" });
  });

  it.each([
    [403, "captcha_required", "https://platform.test/captcha", "https://platform.test/captcha"],
    // Says nothing about the password.
    [
      401,
      "verification_required",
      "https://platform.test/captcha?of=me",
      "https://platform.test/captcha?of=me",
    ],
    [
      423,
      "verification_required",
      `${DEMO_SETTINGS.PLATFORM_URL}/selfie`,
      `${DEMO_SETTINGS.PLATFORM_URL}/selfie`,
    ],
    [403, "verification_required", "http://elsewhere.test/captcha", undefined],
    [403, "verification_required", "javascript:alert(1)", undefined],
    [403, "verification_required", undefined, undefined],
  ])("hands the driver on where a %i with %s asks for them at %s", async (status, code, url, handedOn) => {
    const driver = await createDriver();
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ status, code, title: "Hold on", url });
    await injectFault({ operation: "createSession", fault: "gateway", times: 1, status, headers, body });
    const answer = await login(driver);
    const { verificationUrl, ...problem } = await answer.json<ErrorResponse>();
    expect([answer.status, problem.code, verificationUrl]).toEqual([409, "verification_required", handedOn]);
    expect((await login(driver)).status).toBe(200);
  });

  it.each([
    ["createSession", (driver: TestDriver) => login(driver)],
    [
      "answerOtp",
      ({ client }: TestDriver) => client.sealed("POST", "/flex/v1/setup/otp", { code: "123456" }),
    ],
    ["resendOtp", ({ client }: TestDriver) => client.call("POST", "/flex/v1/setup/otp/resend")],
  ] as const)(
    "says that the platform refused %s for a reason that we don't know",
    async (operation, step) => {
      const driver = await createDriver();
      if (operation !== "createSession") await login(driver);
      await injectFault({ operation, fault: "gateway", times: 1, status: 422, body: '{"code":"full_moon"}' });
      expect(await refusal(await step(driver))).toMatchObject({ status: 409, code: "platform_refused" });
    },
  );

  it("blames our own database, and not the platform, where it can't say whose the account is", async () => {
    const driver = await waiting();
    await decide(driver, "approve");
    await env.DB.exec("ALTER TABLE platform_accounts RENAME TO gone");
    try {
      expect(await refusal(await read(driver))).toMatchObject({ status: 500, code: "internal" });
    } finally {
      await env.DB.exec("ALTER TABLE gone RENAME TO platform_accounts");
    }
    expect(await driver.client.setup()).toEqual({ step: "linked" });
  });

  it("reports a locked account, an expired code and too many requests", async () => {
    const driver = await createDriver();
    for (let tries = 0; tries < 4; tries += 1) await login(driver, "wrong");
    expect(await refusal(await login(driver, "wrong"))).toMatchObject({ status: 423, code: "link_locked" });
    const stranger = await createDriver();
    // A lock whose end the platform doesn't tell has no time to wait for.
    const locked = { type: "about:blank", title: "Locked", status: 423, code: "account_locked" };
    const headers = { "content-type": "application/problem+json" };
    const body = JSON.stringify(locked);
    await injectFault({ operation: "createSession", fault: "gateway", times: 1, status: 423, headers, body });
    const endless = await login(stranger);
    expect([endless.headers.get("retry-after"), await refusal(endless)]).toEqual([
      null,
      expect.objectContaining({ status: 423, code: "link_locked" }),
    ]);
    const other = await createDriver();
    await login(other);
    await injectFault({ operation: "resendOtp", fault: "429", times: 1, retryAfter: 9 });
    const resent = await other.client.call("POST", "/flex/v1/setup/otp/resend");
    expect([resent.headers.get("retry-after"), await refusal(resent)]).toEqual([
      "9",
      expect.objectContaining({ status: 429, code: "rate_limited", retryAfter: 9 }),
    ]);
    // A refused resend is about that code alone: the one at hand can be entered.
    const { code } = await session(other);
    await resetPlatform({ reset: false, now: Date.now() + 11 * 60_000 });
    const late = await other.client.sealed("POST", "/flex/v1/setup/otp", { code });
    expect(await refusal(late)).toMatchObject({ status: 410, code: "link_code_expired" });
  });

  it("rejects a malformed e-mail, password or code without calling the platform", async () => {
    const { client } = await createDriver();
    const bodies = [
      ["/flex/v1/setup/login", { email: "nobody", password: "right" }],
      ["/flex/v1/setup/login", { email: "a@example.com", password: "" }],
      ["/flex/v1/setup/otp", { code: "12a4" }],
      ["/flex/v1/setup/otp", { code: "123" }],
    ] as const;
    for (const [path, body] of bodies) {
      const answer = await client.sealed("POST", path, body);
      expect(await refusal(answer)).toMatchObject({ status: 400, code: "invalid_request" });
    }
    expect((await platformWorld(apiTarget)).sessions).toEqual([]);
  });

  it("is separate for each driver", async () => {
    await waiting();
    const other = await createDriver();
    expect(await other.client.setup()).toEqual({ step: "credentials" });
    expect(
      await refusal(await other.client.sealed("POST", "/flex/v1/setup/otp", { code: "123456" })),
    ).toMatchObject({ status: 410, code: "link_expired" });
  });

  it("starts over if its session was sealed with a key that is no longer configured", async () => {
    const driver = await waiting();
    await runInDurableObject(driverObject(driver), (_object, { storage }) =>
      storage.sql.exec(
        `UPDATE state SET value = json_set(value, '$.sealedSessionId', 'v1.gone.x.y') WHERE key = 'linkSession'`,
      ),
    );
    expect(await refusal(await driver.client.call("GET", "/flex/v1/setup"))).toMatchObject({
      status: 410,
      code: "link_expired",
    });
    expect(await driver.client.setup()).toEqual({ step: "credentials" });
  });

  it("stores neither password nor code nor a readable session id", async () => {
    const driver = await createDriver();
    await login(driver, "Secret-1");
    const { id, code } = await session(driver);
    const stored = await runInDurableObject(driverObject(driver), (_object, state) =>
      JSON.stringify(state.storage.sql.exec(`SELECT key, value FROM state`).toArray()),
    );
    for (const secret of ["Secret-1", id, code]) expect(stored).not.toContain(secret);
    expect(stored).toContain("linkSession");
  });

  it("distinguishes a wrong password from a wrong code, with the tries left", async () => {
    const driver = await createDriver();
    const wrong = await driver.client.sealed("POST", "/flex/v1/setup/login", {
      email: driver.email,
      password: "wrong",
    });
    await driver.client.sealed("POST", "/flex/v1/setup/login", { email: driver.email, password: "right" });
    const code = await driver.client.sealed("POST", "/flex/v1/setup/otp", { code: "00000000" });
    expect([wrong.status, (await wrong.json<ErrorResponse>()).code]).toEqual([422, "link_credentials_wrong"]);
    const problem = await code.json<ErrorResponse>();
    expect([code.status, problem.code, problem.attemptsLeft]).toEqual([422, "link_code_wrong", 4]);
  });

  it("copies the driver's details from the platform, and clears them on unlinking", async () => {
    const driver = await createLinkedDriver();
    const { Item } = await driver.client.fetchJson<{ Item: User }>("GET", "/flex/v1/user");
    expect([Item.proxyInstalled, Item.flexEmail, Item.humanRegion]).toEqual([
      true,
      driver.email,
      "New York City",
    ]);
    const gone = await driver.client.call("DELETE", "/flex/v1/setup");
    const after = await driver.client.fetchJson<{ Item: User }>("GET", "/flex/v1/user");
    expect([gone.status, after.Item.proxyInstalled]).toEqual([204, false]);
    expect((await driver.client.setup()).step).toBe("credentials");
  });
});
