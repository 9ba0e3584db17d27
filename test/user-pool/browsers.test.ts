import { beforeEach, describe, expect, it } from "vitest";
import { driverId } from "../../db/shapes/units.ts";
import { createKeys } from "../../durable/runtime/keys.ts";
import {
  browserCookie,
  nameAt,
  nameAtPassword,
  readBrowser,
  rememberBrowser,
} from "../../worker/identity/accounts/known-browsers.ts";
import { verifierContext } from "../../worker/identity/accounts/verifiers.ts";
import { unknownBrowser } from "../../worker/identity/device.ts";
import { createPoolContext, DEFAULT_LIMITS } from "../../worker/identity/pool-context.ts";
import { formatTimestamp } from "../../worker/identity/sign-in/proofs.ts";
import { openMember, type Member } from "./member.ts";
import { KEYS, NOW, openPool, OTHER, OWNER, PASSWORD, PHONE, type Pool } from "./pool-harness.ts";
import { CLIENT_NUMBER, signProof } from "./srp-client.ts";

const DAY_MS = 86_400_000;
const OTHER_PASSWORD = "Other-2-password";

let at: Pool;
beforeEach(() => {
  at = openPool();
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
    for (const sub of accounts) rememberBrowser(pool, { sub, mark: `k-${sub}` });
    return String(await browserCookie(pool));
  };
  const known = (...accounts: string[]) => accounts.map((sub) => ({ sub, mark: `k-${sub}` }));
  const pairOf = (cookie: string) => cookie.split(";")[0] ?? "";

  it("is known by a cookie for half a year, which the page can't read", async () => {
    const cookie = await cookieOf(OWNER, OTHER, OWNER);
    expect(cookie).toMatch(
      /^__Secure-known-browser=[^;]+; Path=\/identity; Max-Age=15552000; Secure; HttpOnly; SameSite=Strict$/,
    );
    const browser = await read(`a=1; ${pairOf(cookie)};b=2`);
    expect(browser).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      accounts: known(OWNER, OTHER),
      isRenewed: false,
    });
    expect(nameAt({ browser }, OTHER)).toBe(browser.id);
    expect(nameAt({ browser }, "another")).toBeNull();
    at.clock.now = NOW + 180 * DAY_MS;
    expect((await read(pairOf(cookie))).id).toBe(browser.id);
    at.clock.now += 1;
    expect(await read(pairOf(cookie))).toEqual(unknownBrowser());
    at.clock.now = NOW - 180 * DAY_MS - 1;
    expect(await read(pairOf(cookie))).toEqual(unknownBrowser());
  });

  it("keeps its name with each further account, and forgets the first of six", async () => {
    const first = await read(pairOf(await cookieOf(OWNER)));
    const pool = { ...at.context, browser: first };
    for (const { sub, mark } of known("2", "3", "4", "5", "6")) rememberBrowser(pool, { sub, mark });
    const later = await read(pairOf(String(await browserCookie(pool))));
    expect(later).toEqual({ id: first.id, accounts: known("6", "5", "4", "3", "2"), isRenewed: false });
  });

  it("is known by the password that it signed in with alone, and counts anew with each", () => {
    const nameBy = (mark: string | null, present: string | undefined) =>
      nameAtPassword(
        { browser: { id: "browser", accounts: [{ sub: OWNER, mark }], isRenewed: false } },
        OWNER,
        present,
      );
    expect(nameBy("k1", "k1")).toBe("browser k1");
    expect(nameBy("k1", "k2")).toBeNull();
    expect(nameBy("b1", "k1")).toBeNull();
    expect(nameBy("k1", undefined)).toBeNull();
    // Its cookie, or the password too, is from before marks.
    expect(nameBy(null, "b1")).toBe("browser");
    expect(nameBy(null, "k1")).toBeNull();
    expect(nameBy("b1", "b1")).toBe("browser b1");
    expect(nameAtPassword({ browser: unknownBrowser() }, OWNER, "k1")).toBeNull();
  });

  it("keeps accounts in a cookie of an earlier release, whose passwords it doesn't know", async () => {
    const older = { v: 1, id: "older", accounts: [OWNER, OTHER], at: NOW };
    const sealed = await at.context.keys.seal("refresh", {
      plain: JSON.stringify(older),
      context: "known browser",
    });
    const browser = await read(`__Secure-known-browser=${sealed}`);
    const accounts = [OWNER, OTHER].map((sub) => ({ sub, mark: null }));
    expect(browser).toEqual({ id: "older", accounts, isRenewed: false });
    const pool = { ...at.context, browser };
    rememberBrowser(pool, { sub: OTHER, mark: "k2" });
    const later = await read(pairOf(String(await browserCookie(pool))));
    expect(later.accounts).toEqual([
      { sub: OTHER, mark: "k2" },
      { sub: OWNER, mark: null },
    ]);
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
    const browser = { id: "id", accounts: known(OWNER), isRenewed: false };
    expect(await browserCookie({ ...at.context, browser })).toBeNull();
  });
});

describe("a browser that signed in before its password was set anew", () => {
  const LOCKED = "Password attempts exceeded";
  /** So many wrong guesses lock. */
  const FREE = 3;
  let member: Member;
  beforeEach(() => {
    member = openMember({ settings: {}, limits: { guesses: { ...DEFAULT_LIMITS.guesses, free: FREE } } });
  });

  /** Calls from a browser. @returns the message of the error, or `done`, and the cookie by then */
  async function from(cookie: string | null, operation: string, body: object) {
    const { answer, headers } = await member.call(operation, body, cookie === null ? {} : { cookie });
    const said = String(answer["message"] ?? "done");
    return { said, cookie: headers.get("set-cookie")?.split(";")[0] ?? cookie, answer };
  }
  const signIn = (cookie: string | null, password: string) =>
    from(cookie, "InitiateAuth", {
      AuthFlow: "USER_PASSWORD_AUTH",
      AuthParameters: { USERNAME: PHONE, PASSWORD: password },
    });
  const change = (cookie: string | null, PreviousPassword = PASSWORD, ProposedPassword = OTHER_PASSWORD) =>
    from(cookie, "ChangePassword", { AccessToken: member.AccessToken, PreviousPassword, ProposedPassword });
  const reset = async (cookie: string | null) => {
    await from(cookie, "ForgotPassword", { Username: PHONE });
    const body = { Username: PHONE, ConfirmationCode: member.code(), Password: OTHER_PASSWORD };
    return from(cookie, "ConfirmForgotPassword", body);
  };
  const guessWrong = async (cookie: string | null) => {
    for (let tries = 0; tries < FREE; tries += 1) await signIn(cookie, "Wrong-1-password");
  };
  const lockStrangers = () => guessWrong(null);

  it.each([
    ["change", change],
    ["reset", reset],
  ])("is a stranger after a %s in another one, which stays known", async (_how, set) => {
    const others = [await signIn(null, PASSWORD), await signIn(null, PASSWORD)];
    const own = await signIn(null, PASSWORD);
    await lockStrangers();
    for (const other of others) expect((await signIn(other.cookie, PASSWORD)).said).toBe("done");
    const done = await set(own.cookie);
    expect(done.said).toBe("done");
    expect((await signIn(null, OTHER_PASSWORD)).said).toBe("done");
    await lockStrangers();
    for (const other of others) expect((await signIn(other.cookie, OTHER_PASSWORD)).said).toBe(LOCKED);
    expect((await signIn(done.cookie, OTHER_PASSWORD)).said).toBe("done");
  });

  it("shares the strangers' guesses, by a proof too, and has own ones again once it signs in", async () => {
    const other = await signIn(null, PASSWORD);
    await change(null);
    await guessWrong(other.cookie);
    expect((await signIn(null, OTHER_PASSWORD)).said).toBe(LOCKED);
    const AuthParameters = { USERNAME: PHONE, SRP_A: CLIENT_NUMBER };
    const start = { AuthFlow: "USER_SRP_AUTH", AuthParameters };
    expect((await from(other.cookie, "InitiateAuth", start)).said).toBe(LOCKED);
    member.clock.now += 3_600_000;
    const { answer } = await from(other.cookie, "InitiateAuth", start);
    const login = { pool: "Jornada1", user: member.sub, password: OTHER_PASSWORD };
    const proof = await signProof(answer.ChallengeParameters, login, formatTimestamp(member.clock.now));
    const again = await from(other.cookie, "RespondToAuthChallenge", {
      ChallengeName: "PASSWORD_VERIFIER",
      ChallengeResponses: { USERNAME: PHONE, ...proof },
    });
    expect(again.said).toBe("done");
    await lockStrangers();
    expect((await signIn(again.cookie, OTHER_PASSWORD)).said).toBe("done");
  });

  it("stays known where it made the change and its answer was lost", async () => {
    const own = await signIn(null, PASSWORD);
    member.clock.now += 1000;
    await change(own.cookie);
    const again = await change(own.cookie);
    expect(again.said).toBe("done");
    await lockStrangers();
    expect((await signIn(again.cookie, OTHER_PASSWORD)).said).toBe("done");
  });

  /** Stores the password as a release from before marks did. */
  async function storeAsBefore(change: { salt?: string } = {}) {
    const id = driverId.parse(member.sub);
    const { keys } = member.context;
    const context = verifierContext(id);
    const sealed = String(member.row()?.["password"]);
    const plain = await keys.open("verifier", { sealed, context });
    const { salt, verifier, powers } = JSON.parse(plain ?? "");
    const before = JSON.stringify({ salt, verifier, powers, ...change });
    const password = await keys.seal("verifier", { plain: before, context });
    member.run(`UPDATE pool_users SET password = ?`, password);
  }

  it("is known by a cookie of an earlier release until a password of that release is set anew", async () => {
    await storeAsBefore();
    const browser = { v: 1, id: "older", accounts: [member.sub], at: NOW };
    const cookie = `__Secure-known-browser=${await member.context.keys.seal("refresh", {
      plain: JSON.stringify(browser),
      context: "known browser",
    })}`;
    await lockStrangers();
    expect((await signIn(cookie, PASSWORD)).said).toBe("done");
    await change(null);
    await lockStrangers();
    expect((await signIn(cookie, OTHER_PASSWORD)).said).toBe(LOCKED);
  });

  it("is a stranger by a sign-in with a password of an earlier release, too", async () => {
    await storeAsBefore();
    const own = await signIn(null, PASSWORD);
    await lockStrangers();
    expect((await signIn(own.cookie, PASSWORD)).said).toBe("done");
    await change(null);
    await lockStrangers();
    expect((await signIn(own.cookie, OTHER_PASSWORD)).said).toBe(LOCKED);
  });

  it("learns from no length which release its password is from, nor how long its salt is", async () => {
    const lengthOfBlock = async () => {
      const AuthParameters = { USERNAME: PHONE, SRP_A: CLIENT_NUMBER };
      const { answer } = await from(null, "InitiateAuth", { AuthFlow: "USER_SRP_AUTH", AuthParameters });
      return String(answer.ChallengeParameters["SECRET_BLOCK"]).length;
    };
    const before = await lengthOfBlock();
    for (const change of [{}, { salt: "5a17" }]) {
      await storeAsBefore(change);
      expect(await lengthOfBlock()).toBe(before);
    }
  });
});
