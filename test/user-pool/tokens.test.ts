import { decodeJwt, SignJWT, type JWTPayload } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { listLiveSessions } from "../../db/queries/identity/sessions.ts";
import { driverId } from "../../db/shapes/units.ts";
import { loadOrCreateSigningKeys } from "../../worker/identity/tokens/signing-keys.ts";
import { createUserPool } from "../../worker/identity/user-pool.ts";
import { openMember, type Member } from "./member.ts";
import { NOW, OTHER_PHONE, PHONE } from "./pool-harness.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
let at: Member;
beforeEach(() => {
  at = openMember({ settings: {} });
});
const STALE = "NotAuthorizedException: Sign in again to make this change: the last sign-in is too old.";
const wrongCode = () => (at.code() === "000000" ? "000001" : "000000");
const liveSessions = () => at.rows(`SELECT origin_jti FROM pool_sessions WHERE revoked_at IS NULL`).length;

describe("tokens", () => {
  const refresh = async (RefreshToken = at.RefreshToken, ClientMetadata?: { renewal: string }) =>
    (await at.call("GetTokensFromRefreshToken", { RefreshToken, ...(ClientMetadata && { ClientMetadata }) }))
      .answer;
  const renewal = "0123456789abcdef0123456789abcdef";
  const another = { renewal: "f123456789abcdef0123456789abcdef" };

  it("are renewed with a new refresh token; the one before stays good for a minute", async () => {
    const { AuthenticationResult: next } = await refresh();
    expect(next).toMatchObject({ ExpiresIn: 3600, TokenType: "Bearer" });
    expect(next.RefreshToken).not.toBe(at.RefreshToken);
    at.clock.now += MINUTE_MS;
    expect(await refresh()).toHaveProperty("AuthenticationResult");
    expect(liveSessions()).toBe(1);
    at.clock.now += 1;
    expect(await refresh()).toEqual({
      __type: "RefreshTokenReuseException",
      message: "Refresh token has been invalidated by rotation",
    });
    expect(liveSessions()).toBe(0);
    expect(at.noted()).toEqual(["session_reused"]);
    expect(at.log.mock.calls).toEqual([["warn", "identity.refresh.reused", { driverId: at.sub }]]);
    expect(at.onAccountChange.mock.calls).toEqual([[at.sub]]);
    expect(await refresh(next.RefreshToken)).toMatchObject({ message: "Refresh Token has been revoked" });
  });

  it("end with their session where the one before the last is used, however soon", async () => {
    const { AuthenticationResult: second } = await refresh();
    const { AuthenticationResult: third } = await refresh(second.RefreshToken);
    expect(third).toHaveProperty("RefreshToken");
    expect(await refresh()).toMatchObject({ __type: "RefreshTokenReuseException" });
    expect([liveSessions(), at.noted()]).toEqual([0, ["session_reused"]]);
    expect(await refresh(third.RefreshToken)).toMatchObject({ message: "Refresh Token has been revoked" });
  });

  it("are renewed a day later by whoever repeats a renewal whose answer was lost, until its successor is used", async () => {
    await refresh(at.RefreshToken, { renewal });
    at.clock.now += DAY_MS;
    const { AuthenticationResult: second } = await refresh(at.RefreshToken, { renewal });
    const { AuthenticationResult: third } = await refresh(second.RefreshToken, another);
    expect(third).toHaveProperty("RefreshToken");
    expect([liveSessions(), at.noted()]).toEqual([1, []]);
    expect(await refresh(at.RefreshToken, { renewal })).toMatchObject({
      __type: "RefreshTokenReuseException",
    });
    expect(liveSessions()).toBe(0);
  });

  it.each([
    ["without its secret", { renewal }, undefined],
    ["with another secret", { renewal }, another],
    ["with a secret where the renewal had none", undefined, { renewal }],
    ["with what is no secret, both times", { renewal: "short" }, { renewal: "short" }],
  ])("end with their session where the one before is used late, %s", async (_what, first, later) => {
    await refresh(at.RefreshToken, first);
    at.clock.now += MINUTE_MS + 1;
    expect(await refresh(at.RefreshToken, later)).toMatchObject({ __type: "RefreshTokenReuseException" });
    expect([liveSessions(), at.noted()]).toEqual([0, ["session_reused"]]);
  });

  it("are renewed late by the page's own operation, too, whose secret is stored as a hash alone", async () => {
    const renew = () =>
      at.ask("InitiateAuth", {
        AuthFlow: "REFRESH_TOKEN_AUTH",
        AuthParameters: { REFRESH_TOKEN: at.RefreshToken },
        ClientMetadata: { renewal },
      });
    await renew();
    at.clock.now += DAY_MS;
    expect(await renew()).toHaveProperty("AuthenticationResult");
    expect(JSON.stringify(at.rows(`SELECT * FROM pool_sessions`))).not.toContain(renewal);
  });

  it("keep session and sign-in when they are renewed", async () => {
    at.clock.now += MINUTE_MS;
    const { AuthenticationResult: next } = await refresh();
    for (const name of ["AccessToken", "IdToken"] as const) {
      const { origin_jti, auth_time } = decodeJwt(at[name]);
      expect(decodeJwt(next[name])).toMatchObject({ origin_jti, auth_time });
    }
  });

  it("are the pool's alone: signed by it, for its client, for as long as it says", async () => {
    const { access } = await loadOrCreateSigningKeys(at.context);
    const sign = (change: JWTPayload) =>
      new SignJWT({ ...decodeJwt(at.AccessToken), ...change })
        .setProtectedHeader({ alg: "RS256", kid: access.kid })
        .sign(access.key);
    const open = async (change: JWTPayload) => at.ask("GetUser", { AccessToken: await sign(change) });
    expect(await open({})).toMatchObject({ Username: at.sub });
    const { exp = 0 } = decodeJwt(at.AccessToken);
    for (const change of [
      { client_id: "another" },
      { exp: exp + 1 },
      { exp: undefined },
      { iat: undefined },
      { sub: undefined },
      { token_use: "id" },
    ])
      expect(await open(change)).toBe("NotAuthorizedException: Invalid Access Token");
    at.run(`DROP TABLE pool_signing_keys`);
    expect(await open({})).toContain("InternalErrorException");
  });

  it.each([
    ["GetTokensFromRefreshToken", { RefreshToken: "any" }],
    ["RevokeToken", { Token: "any" }],
    ["ForgotPassword", { Username: PHONE }],
    ["ConfirmForgotPassword", { Username: PHONE, ConfirmationCode: "000000", Password: "Jornada-2-demo" }],
    ["SignUp", { Username: OTHER_PHONE, Password: "Jornada-2-demo" }],
    ["ConfirmSignUp", { Username: OTHER_PHONE, ConfirmationCode: "000000" }],
    ["ResendConfirmationCode", { Username: OTHER_PHONE }],
  ])("and accounts are for the pool's client: %s", async (operation, body) => {
    expect((await at.call(operation, { ...body, ClientId: "another" })).type).toBe(
      "ResourceNotFoundException",
    );
  });

  it("are renewed for thirty days after the sign-in, for an account that is there and enabled", async () => {
    expect(await refresh("forged")).toMatchObject({ message: "Invalid Refresh Token" });
    at.clock.now = NOW + 30 * DAY_MS;
    expect(await refresh()).toMatchObject({ message: "Refresh Token has expired" });
    at.clock.now -= 1;
    // In use until now.
    at.run(`UPDATE pool_sessions SET last_seen_at = ${NOW + 16 * DAY_MS}`);
    at.run(`UPDATE pool_users SET enabled = 0`);
    expect(await refresh()).toMatchObject({ message: "User is disabled." });
    at.run(`DELETE FROM pool_users`);
    expect(await refresh()).toMatchObject({ message: "Refresh Token has been revoked" });
  });

  it("are renewed for two weeks after the last use", async () => {
    const live = () => listLiveSessions(at.deps.db, driverId.parse(at.sub), at.clock.now);
    at.clock.now = NOW + 14 * DAY_MS - 1;
    expect(await live()).toHaveLength(1);
    at.clock.now += 1;
    expect(await live()).toEqual([]);
    expect(await refresh()).toMatchObject({ message: "Refresh Token has expired" });
    expect([await at.pool.endIdleSessions(), await at.pool.endIdleSessions()]).toEqual([1, 0]);
  });

  it("end where the session is signed out, here or everywhere", async () => {
    expect((await at.call("RevokeToken", { Token: at.AccessToken })).type).toBe(
      "UnsupportedTokenTypeException",
    );
    expect((await at.call("RevokeToken", { Token: "unknown" })).answer).toEqual({});
    expect(at.noted()).toEqual([]);
    expect((await at.call("RevokeToken", { Token: at.RefreshToken })).answer).toEqual({});
    expect(at.noted()).toEqual(["signed_out"]);
    expect(await at.ask("GetUser")).toBe("NotAuthorizedException: Access Token has been revoked");
    at = openMember();
    await at.signIn();
    at.note.mockClear();
    expect(await at.ask("GlobalSignOut")).toEqual({});
    expect([liveSessions(), at.noted(), at.onAccountChange.mock.calls]).toEqual([
      0,
      ["signed_out_everywhere"],
      [[at.sub]],
    ]);
  });

  it("end where nobody is to be told, too", async () => {
    const { onAccountChange: _tells, ...deps } = at.deps;
    const pool = createUserPool(deps);
    const headers = { "x-amz-target": "AWSCognitoIdentityProviderService.GlobalSignOut" };
    const body = JSON.stringify({ AccessToken: at.AccessToken });
    const request = new Request("https://jornada.test/identity/", { method: "POST", headers, body });
    expect((await pool.handle(request)).status).toBe(200);
    expect(liveSessions()).toBe(0);
  });

  it("open nothing once they expired, or the account is disabled or gone", async () => {
    at.run(`UPDATE pool_users SET enabled = 0`);
    expect(await at.ask("GetUser")).toBe("NotAuthorizedException: User is disabled.");
    at.run(`DELETE FROM pool_users`);
    expect(await at.ask("GetUser")).toBe("UserNotFoundException: User does not exist.");
    expect(await at.ask("GlobalSignOut")).toBe("NotAuthorizedException: Access Token has been revoked");
    expect(await at.ask("GetUser", { AccessToken: at.IdToken })).toBe(
      "NotAuthorizedException: Invalid Access Token",
    );
    at.clock.now = NOW + HOUR_MS;
    expect(await at.ask("GetUser")).toBe("NotAuthorizedException: Access Token has expired");
  });

  it("end with the account, which needs a fresh sign-in", async () => {
    at.clock.now = NOW + 10 * MINUTE_MS + 1;
    expect(await at.ask("DeleteUser")).toBe(STALE);
    at.clock.now = NOW;
    expect((await at.call("DeleteUser", { AccessToken: at.AccessToken })).status).toBe(200);
    expect(at.row()).toBeUndefined();
    expect(at.noted()).toEqual(["account_deleted"]);
    expect(at.onAccountChange.mock.calls).toEqual([[at.sub]]);
  });
});

describe("signing in by a texted code", () => {
  const start = async (USERNAME = PHONE) =>
    (await at.call("InitiateAuth", { AuthFlow: "CUSTOM_AUTH", AuthParameters: { USERNAME } })).answer;

  it("works once, and looks alike for a number that has no account", async () => {
    const challenge = await start();
    expect(challenge).toMatchObject({
      ChallengeName: "CUSTOM_CHALLENGE",
      ChallengeParameters: {
        USERNAME: at.sub,
        CODE_DELIVERY_DELIVERY_MEDIUM: "SMS",
        CODE_DELIVERY_DESTINATION: "+*******0123",
      },
    });
    const wrong = { message: "Incorrect username or password." };
    expect(await at.respond(challenge, { ANSWER: wrongCode() })).toMatchObject(wrong);
    expect(at.noted()).toEqual(["sign_in_failed"]);
    expect(await at.respond(challenge, { ANSWER: at.code() })).toHaveProperty("AuthenticationResult");
    const unknown = await start(OTHER_PHONE);
    expect(unknown).toMatchObject({
      ChallengeName: "CUSTOM_CHALLENGE",
      ChallengeParameters: { CODE_DELIVERY_DESTINATION: "+*******0999" },
    });
    expect(at.texts.filter(({ to }) => to === OTHER_PHONE)).toEqual([]);
    expect(at.asked.at(-1)).toMatchObject({ to: OTHER_PHONE, isProved: true, isDecoy: true });
    expect(await at.respond(unknown, { USERNAME: OTHER_PHONE, ANSWER: "123456" })).toMatchObject(wrong);
  });

  it("sends a disabled account nothing, and relies on a code that was just sent", async () => {
    await start();
    const sent = at.code();
    const again = await start();
    expect(at.texts).toHaveLength(1);
    expect(await at.respond(again, { ANSWER: sent })).toHaveProperty("AuthenticationResult");
    at.run(`UPDATE pool_users SET enabled = 0`);
    at.clock.now += HOUR_MS;
    expect(await start()).toMatchObject({ ChallengeName: "CUSTOM_CHALLENGE" });
    expect(at.texts).toHaveLength(1);
  });

  it("is refused while no code may be sent and none is good", async () => {
    at.gateway.refuses = "limit";
    expect(await start()).toMatchObject({ __type: "TooManyRequestsException" });
  });
});
