import { beforeEach, describe, expect, it } from "vitest";
import { driverId } from "../../db/shapes/units.ts";
import { DEFAULT_LIMITS } from "../../worker/identity/pool-context.ts";
import { NOW, openPool, PASSWORD, PHONE, type Pool } from "./pool-harness.ts";

const DAY_MS = 86_400_000;
const OTHER = driverId.parse("11111111-1111-4111-8111-111111111111");

let at: Pool;
beforeEach(() => {
  at = openPool();
});

describe("registering", () => {
  const signUp = (metadata: Record<string, string> | null = null) =>
    at.call("SignUp", {
      Username: PHONE,
      Password: PASSWORD,
      ...(metadata && { ClientMetadata: metadata }),
    });
  const accounts = () => at.rows(`SELECT status, phone_verified FROM pool_users`);

  it("asks whether a person does it, where that is set", async () => {
    const asked: unknown[] = [];
    const isHuman = async (...given: [string | null, string | null]) => {
      asked.push(given);
      return given[0] === "passed";
    };
    at = openPool({ isHuman });
    expect((await signUp()).type).toBe("UserLambdaValidationException");
    expect((await signUp({ challenge: "failed" })).type).toBe("UserLambdaValidationException");
    expect((await signUp({ other: "passed" })).type).toBe("UserLambdaValidationException");
    expect([accounts(), at.texts]).toEqual([[], []]);
    const headers = { "cf-connecting-ip": "192.0.2.1" };
    const body = { Username: PHONE, Password: PASSWORD, ClientMetadata: { challenge: "passed" } };
    expect((await at.call("SignUp", body, headers)).type).toBe("done");
    expect(asked).toEqual([
      [null, null],
      ["failed", null],
      [null, null],
      ["passed", "192.0.2.1"],
    ]);
    at = openPool({ isHuman: null });
    expect((await signUp()).type).toBe("done");
  });

  it("leaves the number free where nobody got a code", async () => {
    at.gateway.fails = { reason: "no_gateway", mayArrive: false };
    expect((await signUp()).type).toBe("CodeDeliveryFailureException");
    expect(accounts()).toEqual([]);
    at.gateway.fails = null;
    expect((await signUp()).type).toBe("done");
    at.gateway.fails = { reason: "no_gateway", mayArrive: false };
    expect((await signUp()).type).toBe("CodeDeliveryFailureException");
    // It was registered before, and a code for it may be on its way.
    expect(accounts()).toEqual([{ status: "UNCONFIRMED", phone_verified: 0 }]);
  });

  it.each([
    ["ceiling", "Too many codes were sent in the last hours. Please try again later."],
    ["number", "Invalid phone number format."],
    ["stopped", "The phone number is opted out of texts."],
    ["limit", "Attempt limit exceeded, please try after some time."],
  ] as const)("is refused where the way to texts says %s", async (reason, message) => {
    at.gateway.refuses = reason;
    expect((await signUp()).answer["message"]).toBe(message);
    expect(accounts()).toEqual([]);
  });

  it("is noted with who did it, and makes the browser known", async () => {
    await signUp();
    const headers = { "cf-connecting-ip": "192.0.2.1", "user-agent": "Mozilla/5.0 (iPhone) CriOS/120" };
    const confirm = { Username: PHONE, ConfirmationCode: at.code() };
    const { headers: answered } = await at.call("ConfirmSignUp", confirm, headers);
    expect(answered.get("set-cookie")).toMatch(/^__Secure-known-browser=/);
    const [row] = at.rows(`SELECT id FROM pool_users`);
    expect(at.note.mock.calls).toEqual([
      [
        {
          event: "registered",
          account: row?.["id"],
          caller: { address: "192.0.2.1", device: { browser: "Chrome", system: "iPhone", country: null } },
        },
      ],
    ]);
  });
});

describe("what guesses leave behind", () => {
  it("are notes, and a word to whoever is to warn the owner", async () => {
    const locked: unknown[] = [];
    at = openPool({
      onGuessLock: async (...given) => void locked.push(given),
      limits: { guesses: { ...DEFAULT_LIMITS.guesses, free: 2 } },
    });
    const sub = await at.register();
    const guess = () =>
      at.call("InitiateAuth", {
        AuthFlow: "USER_PASSWORD_AUTH",
        AuthParameters: { USERNAME: PHONE, PASSWORD: "Wrong-1-password" },
      });
    await guess();
    expect(at.noted()).toEqual(["sign_in_failed"]);
    expect(locked).toEqual([]);
    await guess();
    expect(at.noted()).toEqual(["sign_in_failed", "sign_in_failed", "locked"]);
    expect(locked).toEqual([[sub, NOW + 3_600_000]]);
    const refused = await guess();
    expect(refused.headers.get("retry-after")).toBe("3600");
    expect(at.noted().at(-1)).toBe("sign_in_refused");
  });

  it("need nobody to tell", async () => {
    at = openPool({ limits: { guesses: { ...DEFAULT_LIMITS.guesses, free: 1 } } });
    await at.register();
    const wrong = { USERNAME: PHONE, PASSWORD: "Wrong-1-password" };
    const answer = await at.call("InitiateAuth", { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters: wrong });
    expect(answer.type).toBe("NotAuthorizedException");
  });
});

describe("an account", () => {
  it("is exported without secrets, and found by its number of now", async () => {
    const sub = driverId.parse(await at.register());
    expect(await at.pool.exportAccount(sub)).toEqual({
      phoneNumber: PHONE,
      phoneVerified: true,
      attributes: {},
      status: "CONFIRMED",
      createdAt: NOW,
      signIns: [],
    });
    expect(await at.pool.exportAccount(OTHER)).toBeNull();
    expect([await at.pool.findNumber(sub), await at.pool.findNumber(OTHER)]).toEqual([PHONE, null]);
  });

  it("that nobody confirmed within a day is swept away", async () => {
    await at.call("SignUp", { Username: PHONE, Password: PASSWORD });
    at.clock.now = NOW + DAY_MS;
    expect(await at.pool.sweepUnconfirmed()).toBe(0);
    at.clock.now += 1;
    expect(await at.pool.sweepUnconfirmed()).toBe(1);
    expect(at.rows(`SELECT id FROM pool_users`)).toEqual([]);
  });
});
