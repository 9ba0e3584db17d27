import { beforeEach, describe, expect, it } from "vitest";
import { driverId } from "../../db/shapes/units.ts";
import { createKeys } from "../../durable/runtime/keys.ts";
import {
  browserCookie,
  nameAt,
  readBrowser,
  rememberBrowser,
} from "../../worker/identity/accounts/known-browsers.ts";
import { createPhoneCodes } from "../../worker/identity/accounts/phone-codes.ts";
import { makeUndoToken } from "../../worker/identity/accounts/undo.ts";
import { unknownBrowser } from "../../worker/identity/calling-browser.ts";
import { createPoolContext, DEFAULT_LIMITS } from "../../worker/identity/pool-context.ts";
import { noteEvent } from "../../worker/identity/security-events.ts";
import { KEYS, NOW, openPool, PASSWORD, PHONE, type Pool } from "./pool-harness.ts";

const DAY_MS = 86_400_000;
const OWNER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");
const OTHER = driverId.parse("11111111-1111-4111-8111-111111111111");

let at: Pool;
beforeEach(() => {
  at = openPool();
});

describe("a session", () => {
  beforeEach(() => {
    for (const [index, id] of [OWNER, OTHER].entries())
      at.run(
        `INSERT INTO pool_users (id, phone_number, phone_verified, status, enabled, password, attributes, sms_mfa, software_token_mfa, totp_used_step, created_at)
         VALUES (?, ?, 1, 'CONFIRMED', 1, 'sealed', '{}', 0, 0, 0, 0)`,
        id,
        `+1555010010${index}`,
      );
  });

  const open = (id: string, owner = OWNER, change: Record<string, string | number | null> = {}) => {
    const row = {
      origin_jti: id,
      user_id: owner,
      created_at: NOW - 1000,
      expires_at: NOW + DAY_MS,
      revoked_at: null,
      last_seen_at: NOW - 500,
      browser: "Firefox",
      system: "Linux",
      country: "US",
      ...change,
    };
    const names = Object.keys(row);
    at.run(
      `INSERT INTO pool_sessions (${names.join()}) VALUES (${names.map(() => "?").join()})`,
      ...Object.values(row),
    );
  };
  const live = () =>
    at
      .rows(`SELECT origin_jti FROM pool_sessions WHERE revoked_at IS NULL ORDER BY 1`)
      .map((row) => row["origin_jti"]);
  const isLive = (originJti: string, lifetimeSeconds = 3600, userId = OWNER) =>
    at.pool.isTokenLive({ originJti, userId, lifetimeSeconds });

  it("is listed for its owner, the one that was used last first", async () => {
    open("old", OWNER, { last_seen_at: 0 });
    open("new");
    open("revoked", OWNER, { revoked_at: 1 });
    open("over", OWNER, { expires_at: NOW });
    open("other", OTHER);
    const shown = { browser: "Firefox", system: "Linux", country: "US", signedInAt: NOW - 1000 };
    expect(await at.pool.listSessions(OWNER)).toEqual([
      { ...shown, id: "new", lastSeenAt: NOW - 500 },
      { ...shown, id: "old", lastSeenAt: NOW - 1000 },
    ]);
  });

  it("is ended by its owner, once, and what follows the account hears of it", async () => {
    open("one");
    open("two");
    expect(await at.pool.endSession({ originJti: "one", userId: OTHER })).toBe(false);
    expect(at.onAccountChange).not.toHaveBeenCalled();
    expect(await at.pool.endSession({ originJti: "one", userId: OWNER })).toBe(true);
    expect(await at.pool.endSession({ originJti: "one", userId: OWNER })).toBe(false);
    expect(at.onAccountChange.mock.calls).toEqual([[OWNER]]);
    expect(live()).toEqual(["two"]);
  });

  it("is the only one left after the others were ended", async () => {
    for (const id of ["one", "two", "three"]) open(id);
    open("other", OTHER);
    await at.pool.endOtherSessions(OWNER, "two");
    expect(live()).toEqual(["other", "two"]);
    expect(at.onAccountChange.mock.calls).toEqual([[OWNER]]);
  });

  it("counts as live for half a minute after it was looked at, in its owner's tokens alone", async () => {
    open("one");
    expect(await isLive("one")).toBe(true);
    expect(await isLive("one", 3601)).toBe(false);
    expect(await isLive("one", 3600, OTHER)).toBe(false);
    expect(await isLive("none")).toBe(false);
    at.run(`UPDATE pool_sessions SET revoked_at = 1`);
    at.clock.now = NOW + 29_999;
    expect(await isLive("one")).toBe(true);
    expect(await at.pool.isSessionLive({ originJti: "one", userId: OWNER })).toBe(false);
    at.clock.now = NOW + 30_000;
    expect(await isLive("one")).toBe(false);
    at.run(`UPDATE pool_sessions SET revoked_at = NULL`);
    expect(await isLive("one")).toBe(true);
    expect(await at.pool.isSessionLive({ originJti: "one", userId: OWNER })).toBe(true);
    at.run(`UPDATE pool_users SET enabled = 0`);
    expect(await at.pool.isSessionLive({ originJti: "one", userId: OWNER })).toBe(false);
    // A clock that was set back does not make it live for longer.
    at.run(`UPDATE pool_sessions SET revoked_at = 1`);
    at.clock.now = NOW - 1;
    expect(await isLive("one")).toBe(false);
  });

  it("is looked at anew once sessions are forgotten, or one was ended", async () => {
    open("one");
    open("two");
    await isLive("one");
    at.run(`UPDATE pool_sessions SET revoked_at = 1 WHERE origin_jti = 'one'`);
    expect(await isLive("one")).toBe(true);
    at.pool.forgetSessions();
    expect(await isLive("one")).toBe(false);
    await isLive("two");
    await at.pool.endSession({ originJti: "two", userId: OWNER });
    expect(await isLive("two")).toBe(false);
  });

  it("is seen again a quarter of an hour later, and not with every call", async () => {
    open("one", OWNER, { last_seen_at: NOW });
    const seen = async (now: number) => {
      at.clock.now = now;
      at.pool.forgetSessions();
      await isLive("one");
      return at.rows(`SELECT last_seen_at FROM pool_sessions`)[0]?.["last_seen_at"];
    };
    expect(await seen(NOW + 15 * 60_000 - 1)).toBe(NOW);
    expect(await seen(NOW + 15 * 60_000)).toBe(NOW + 15 * 60_000);
  });
});

describe("a browser that signed in", () => {
  const request = (cookie: string | null) =>
    new Request("https://jornada.test/", {
      headers: new Headers(cookie === null ? [] : [["cookie", cookie]]),
    });
  const read = (cookie: string | null, pool = at.context) => readBrowser(pool, request(cookie));
  /** The cookie after signing in to accounts one after the other. */
  const cookieOf = async (...accounts: string[]) => {
    const pool = { ...at.context, browser: unknownBrowser() };
    for (const account of accounts) rememberBrowser(pool, account);
    return String(await browserCookie(pool));
  };
  const pairOf = (cookie: string) => cookie.split(";")[0] ?? "";

  it("is known by a cookie for half a year, which the page can't read", async () => {
    const cookie = await cookieOf(OWNER, OTHER, OWNER);
    expect(cookie).toMatch(
      /^__Secure-known-browser=[^;]+; Path=\/identity; Max-Age=15552000; Secure; HttpOnly; SameSite=Strict$/,
    );
    const known = await read(`a=1; ${pairOf(cookie)};b=2`);
    expect(known).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      accounts: [OWNER, OTHER],
      isRenewed: false,
    });
    expect(nameAt({ browser: known }, OTHER)).toBe(known.id);
    expect(nameAt({ browser: known }, "another")).toBeNull();
    at.clock.now = NOW + 180 * DAY_MS;
    expect((await read(pairOf(cookie))).id).toBe(known.id);
    at.clock.now += 1;
    expect(await read(pairOf(cookie))).toEqual(unknownBrowser());
    at.clock.now = NOW - 180 * DAY_MS - 1;
    expect(await read(pairOf(cookie))).toEqual(unknownBrowser());
  });

  it("keeps its name with each further account, and forgets the first of six", async () => {
    const first = await read(pairOf(await cookieOf(OWNER)));
    const pool = { ...at.context, browser: first };
    for (const account of ["2", "3", "4", "5", "6"]) rememberBrowser(pool, account);
    const later = await read(pairOf(String(await browserCookie(pool))));
    expect(later).toEqual({ id: first.id, accounts: ["6", "5", "4", "3", "2"], isRenewed: false });
  });

  it("is nobody by another, a forged or an empty cookie", async () => {
    const cookie = pairOf(await cookieOf(OWNER));
    const others = createPoolContext({ ...at.deps, keys: createKeys(KEYS.replace("AAEC", "BBEC")) });
    const refresh = await at.context.keys.seal("refresh", { plain: "{}", context: "refresh token" });
    const named = (sealed: string) => `__Secure-known-browser=${sealed}`;
    const other = await at.context.keys.seal("refresh", { plain: `{"v":2}`, context: "known browser" });
    for (const given of [
      null,
      "",
      `x${cookie}`,
      `${cookie}x`,
      named(""),
      named("forged"),
      named(refresh),
      named(other),
    ])
      expect([given, await read(given)]).toEqual([given, unknownBrowser()]);
    expect(await read(cookie, others)).toEqual(unknownBrowser());
  });

  it("gets no cookie where nothing is new", async () => {
    expect(await browserCookie(at.context)).toBeNull();
    const browser = { id: "id", accounts: [OWNER], isRenewed: false };
    expect(await browserCookie({ ...at.context, browser })).toBeNull();
  });
});

describe("the code that proves a preferred number", () => {
  const codes = () => createPhoneCodes(at.deps);
  const send = () => codes().send({ driverId: OWNER, to: PHONE, language: "pt", address: "192.0.2.1" });
  const check = (code: string, to = PHONE) => codes().check({ driverId: OWNER, to, code });
  const stored = () => at.rows(`SELECT user_id, purpose FROM pool_codes`);

  it("is texted in the driver's language, and right once, for its number", async () => {
    expect(await send()).toBe("sent");
    expect(at.texts).toEqual([{ to: PHONE, body: expect.stringMatching(/^pt \d{6}$/) }]);
    expect(at.asked).toEqual([
      { to: PHONE, isProved: false, account: OWNER, address: "192.0.2.1", isDecoy: false },
    ]);
    expect(stored()).toEqual([{ user_id: OWNER, purpose: "preferred_phone" }]);
    expect(await check(at.code(), "+15550100124")).toBe("wrong");
    expect(await check(at.code())).toBe("right");
    expect(await check(at.code())).toBe("none");
  });

  it.each([
    ["limit", "limit"],
    ["number", "number"],
    ["stopped", "stopped"],
    ["ceiling", "failed"],
  ] as const)("is not sent where the way to texts says %s", async (reason, outcome) => {
    at.gateway.refuses = reason;
    expect(await send()).toBe(outcome);
    expect(stored()).toEqual([]);
  });

  it("is not sent, nor counted, sooner than its limits allow", async () => {
    await send();
    await send();
    expect(await send()).toBe("limit");
    expect(at.canceled).toEqual([PHONE]);
    expect(at.texts).toHaveLength(2);
  });

  it.each([
    ["no_gateway", "failed"],
    ["stopped", "stopped"],
  ] as const)("counts for nothing where its text failed: %s", async (reason, outcome) => {
    at.gateway.fails = { reason, mayArrive: false };
    expect(await send()).toBe(outcome);
    at.gateway.fails = null;
    expect([await send(), await send(), await send()]).toEqual(["sent", "sent", "limit"]);
  });

  it("stays good where its text may have arrived", async () => {
    at.gateway.fails = { reason: "no_gateway", mayArrive: true };
    expect(await send()).toBe("failed");
    expect(stored()).toHaveLength(1);
  });
});

describe("a link that undoes a change", () => {
  const notice = (tokenHash: string) =>
    at.run(
      `INSERT INTO pool_notices VALUES ('n', ?, 'password', ?, 'en', ?, ?, ?, ?)`,
      OWNER,
      PHONE,
      NOW,
      NOW + DAY_MS,
      NOW,
      tokenHash,
    );

  it("has a token of 128 bits that a text can hold, of which a hash is kept", async () => {
    const made = await Promise.all(Array.from({ length: 60 }, () => makeUndoToken()));
    for (const { token, tokenHash } of made) {
      expect(token).toMatch(/^[\w-]{22}$/);
      expect(tokenHash).toMatch(/^[0-9a-f]{64}$/);
    }
    // Both letters that base64 writes otherwise turn up in so many.
    expect(made.map(({ token }) => token).join("")).toMatch(/-.*_|_.*-/);
    expect(new Set(made.flatMap(({ token, tokenHash }) => [token, tokenHash])).size).toBe(120);
    const [first] = made;
    notice(first?.tokenHash ?? "");
    expect(await at.pool.findUndo(first?.token ?? "")).toMatchObject({ userId: OWNER, kind: "password" });
    expect(await at.pool.findUndo(made[1]?.token ?? "")).toBeNull();
    at.clock.now = NOW + DAY_MS;
    expect(await at.pool.findUndo(first?.token ?? "")).toBeNull();
  });

  it("brings the account back, says so in the log, and what follows the account hears of it", async () => {
    const sub = driverId.parse(await at.register());
    const change = {
      id: "n",
      userId: sub,
      kind: "password",
      phoneNumber: PHONE,
      language: "en",
      changedAt: NOW,
      expiresAt: NOW + DAY_MS,
      toldAt: NOW,
      tokenHash: "h",
    } as const;
    expect(await at.pool.undo(change)).toBe(true);
    expect(at.log.mock.calls).toEqual([
      ["warn", "identity.change.undone", { driverId: sub, kind: "password" }],
    ]);
    expect(at.onAccountChange.mock.calls).toEqual([[sub]]);
    expect(at.rows(`SELECT status FROM pool_users`)).toEqual([{ status: "RESET_REQUIRED" }]);
    at.log.mockClear();
    expect(await at.pool.undo({ ...change, userId: OTHER })).toBe(false);
    expect(at.log).not.toHaveBeenCalled();
    expect(at.onAccountChange.mock.calls).toEqual([[sub], [OTHER]]);
  });
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

it("notes an event with who caused it, where there is a log of them", async () => {
  const caller = { address: "192.0.2.1", device: { browser: "Edge", system: "Mac", country: "BR" } };
  await noteEvent({ ...at.context, ...caller }, "signed_out", OWNER);
  expect(at.note.mock.calls).toEqual([[{ event: "signed_out", account: OWNER, caller }]]);
  const { security: _none, ...quiet } = at.context;
  await noteEvent(quiet, "signed_out", OWNER);
  expect(at.note).toHaveBeenCalledTimes(1);
});
