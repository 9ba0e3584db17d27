import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { poolUsers } from "../../db/schema/identity.ts";
import { DAY_MS } from "../../db/shapes/units.ts";
import { loadOrCreateSigningKeys } from "../../worker/identity/tokens/signing-keys.ts";
import { d1 } from "./database.ts";
import { claimsOf, factsOf, openPoolHarness, PASSWORD, type Account, type PoolHarness } from "./harness.ts";
import { callPool, signInAt } from "./sibling-pools.ts";

const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
let harness: PoolHarness;
beforeEach(async () => {
  harness = await openPoolHarness();
});

const signIn = (account: Account, pool = harness.pool) => signInAt(pool, account);

it("issues an id token and an access token with the claims of Cognito", async () => {
  const account = await harness.register();
  const { IdToken, AccessToken } = await signIn(account);
  const [id, access] = [claimsOf(IdToken), claimsOf(AccessToken)];
  const now = Math.floor(Date.now() / 1000);
  const common = {
    sub: account.sub,
    iss: "https://jornada.test/identity/local_Jornada1",
    origin_jti: UUID,
    event_id: UUID,
    auth_time: expect.any(Number),
    iat: expect.any(Number),
    exp: Number(id["iat"]) + 3600,
    jti: UUID,
  };
  expect(id).toEqual({
    ...common,
    aud: harness.clientId,
    token_use: "id",
    "cognito:username": account.sub,
    name: "Ana Lima",
    phone_number: account.phone,
    phone_number_verified: true,
  });
  expect(access).toEqual({
    ...common,
    client_id: harness.clientId,
    token_use: "access",
    scope: "aws.cognito.signin.user.admin",
    username: account.sub,
  });
  expect(now - Number(id["iat"])).toBeLessThan(5);
  expect(id["event_id"]).toBe(access["event_id"]);
  expect(id["jti"]).not.toBe(access["jti"]);
});

it("signs with two keys and publishes them in its JWKS and discovery document", async () => {
  const { IdToken, AccessToken } = await signIn(await harness.register());
  const get = async (path: string) => {
    const response = await harness.pool.handle(new Request(`${harness.pool.issuer}/.well-known/${path}`));
    return z.record(z.string(), z.unknown()).parse(await response.json());
  };
  const discovery = await get("openid-configuration");
  expect(discovery).toMatchObject({
    issuer: harness.pool.issuer,
    jwks_uri: `${harness.pool.issuer}/.well-known/jwks.json`,
    id_token_signing_alg_values_supported: ["RS256"],
  });
  const { keys } = await harness.pool.publicKeys();
  expect(await get("jwks.json")).toEqual({ keys });
  expect(keys).toHaveLength(2);
  expect(Object.keys(keys[0] ?? {}).sort()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
  const kids = [IdToken, AccessToken].map((token) => decodeProtectedHeader(token));
  expect(kids.map((header) => Object.keys(header).sort())).toEqual([
    ["alg", "kid"],
    ["alg", "kid"],
  ]);
  expect(new Set(kids.map(({ kid }) => kid)).size).toBe(2);
  expect(atob(kids[0]?.kid ?? "")).toHaveLength(32);
  for (const token of [IdToken, AccessToken]) {
    await jwtVerify(token, createLocalJWKSet({ keys }), {
      issuer: harness.pool.issuer,
      algorithms: ["RS256"],
    });
  }
});

it("creates one pair of keys even for parallel first callers", async () => {
  const pools = Array.from({ length: 4 }, () => harness.createSiblingPool({}));
  const sets = await Promise.all(pools.map((pool) => pool.publicKeys()));
  expect(new Set(sets.map((set) => JSON.stringify(set))).size).toBe(1);
  expect(sets[0]?.keys).toHaveLength(2);
});

it("refuses access tokens that are expired, forged, revoked, or of another use or issuer", async () => {
  const account = await harness.register();
  const tokens = await signIn(account);
  const errorOf = async (AccessToken: string) => {
    const { __type, message } = Object(await callPool(harness.pool, "GetUser", { AccessToken }));
    return [__type, message];
  };
  const invalid = ["NotAuthorizedException", "Invalid Access Token"];
  expect(await errorOf(tokens.IdToken)).toEqual(invalid);
  const [head, body, signature] = tokens.AccessToken.split(".");
  expect(
    await errorOf(`${head}.${body}.${(signature ?? "").replace(/^./, (one) => (one === "A" ? "B" : "A"))}`),
  ).toEqual(invalid);
  const { keys } = await harness.pool.publicKeys();
  const symmetric = await new SignJWT(claimsOf(tokens.AccessToken))
    .setProtectedHeader({ alg: "HS256", kid: keys[0]?.kid ?? "" })
    .sign(new TextEncoder().encode(keys[0]?.n));
  expect(await errorOf(symmetric)).toEqual(invalid);
  expect(await errorOf("nonsense")).toEqual(invalid);
  const elsewhere = harness.createSiblingPool({ publicUrl: "https://elsewhere.test" });
  expect(await errorOf((await signIn(account, elsewhere)).AccessToken)).toEqual(invalid);
  const { access } = await loadOrCreateSigningKeys(harness.context);
  const forge = (claims: Record<string, unknown>) =>
    new SignJWT({ ...claimsOf(tokens.AccessToken), ...claims })
      .setProtectedHeader({ alg: "RS256", kid: access.kid })
      .sign(access.key);
  expect(await errorOf(await forge({ client_id: "another" }))).toEqual(invalid);
  expect(await errorOf(await forge({ token_use: "id" }))).toEqual(invalid);
  for (const scope of ["openid", "aws.cognito.signin.user.administrator", undefined])
    expect(await errorOf(await forge({ scope }))).toEqual([
      "NotAuthorizedException",
      "Access Token does not have required scopes",
    ]);
  expect(await errorOf(await forge({ scope: "openid aws.cognito.signin.user.admin" }))).toEqual(
    await errorOf(tokens.AccessToken),
  );
  expect(await errorOf(await forge({ exp: undefined }))).toEqual(invalid);
  expect(await errorOf(await forge({ origin_jti: "unknown" }))).toEqual([
    "NotAuthorizedException",
    "Access Token has been revoked",
  ]);
  const ahead = harness.createSiblingPool({ now: () => Date.now() + 3_600_000 });
  expect(await callPool(ahead, "GetUser", { AccessToken: tokens.AccessToken })).toMatchObject({
    message: "Access Token has expired",
  });
  harness.advanceClock(3_600_000);
  expect(await errorOf(tokens.AccessToken)).toEqual(["NotAuthorizedException", "Access Token has expired"]);
  const fresh = await signIn(account);
  await callPool(harness.pool, "RevokeToken", { ClientId: harness.clientId, Token: fresh.RefreshToken });
  expect(await errorOf(fresh.AccessToken)).toEqual([
    "NotAuthorizedException",
    "Access Token has been revoked",
  ]);
  expect(
    await callPool(harness.pool, "RevokeToken", { ClientId: harness.clientId, Token: fresh.AccessToken }),
  ).toMatchObject({ __type: "UnsupportedTokenTypeException" });
});

it("notices within 30 seconds that a session was revoked elsewhere", async () => {
  const account = await harness.register();
  const { IdToken, AccessToken } = await signIn(account);
  const token = factsOf(IdToken);
  expect(await harness.pool.isTokenLive(token)).toBe(true);
  await d1.prepare("UPDATE pool_sessions SET revoked_at = 1").run();
  harness.advanceClock(30_000);
  expect(await harness.pool.isTokenLive(token)).toBe(false);
  expect(await harness.pool.isTokenLive({ ...token, originJti: "unknown" })).toBe(false);
  expect(await callPool(harness.pool, "GlobalSignOut", { AccessToken })).toMatchObject({
    message: "Access Token has been revoked",
  });
});

it("does not trust a cached session from a later time", async () => {
  const { IdToken } = await signIn(await harness.register());
  const token = factsOf(IdToken);
  const ahead = harness.createSiblingPool({ now: () => Date.now() + 3_600_000 });
  expect(await ahead.isTokenLive(token)).toBe(true);
  await d1.prepare("UPDATE pool_sessions SET revoked_at = 1").run();
  expect(await harness.pool.isTokenLive(token)).toBe(false);
});

it("ends a revoked session immediately, and no other one", async () => {
  const [account, other] = [await harness.register(), await harness.register()];
  const ended = [await signIn(account), await signIn(account), await signIn(account)];
  const kept = await signIn(other);
  const isLive = ({ IdToken }: { IdToken: string }) => harness.pool.isTokenLive(factsOf(IdToken));
  const areLive = () => Promise.all([...ended, kept].map(isLive));
  expect(await areLive()).toEqual([true, true, true, true]);
  const [first, second] = ended;
  const ClientId = harness.clientId;
  await callPool(harness.pool, "RevokeToken", { ClientId, Token: first?.RefreshToken });
  expect(await areLive()).toEqual([false, true, true, true]);
  await callPool(harness.pool, "GlobalSignOut", { AccessToken: second?.AccessToken });
  expect(await areLive()).toEqual([false, false, false, true]);
});

it("ends a session when its refresh token expires, however much it is used", async () => {
  const { IdToken } = await signIn(await harness.register());
  const isLive = () => harness.pool.isTokenLive(factsOf(IdToken));
  for (const passed of [13 * DAY_MS, 13 * DAY_MS, 4 * DAY_MS - 1]) {
    harness.advanceClock(passed);
    expect(await isLive()).toBe(true);
  }
  harness.advanceClock(30_000);
  expect(await isLive()).toBe(false);
});

it("ends a session that nobody used for 14 days, and no other", async () => {
  const account = await harness.register();
  const [used, unused] = [await signIn(account), await signIn(account)];
  harness.advanceClock(13 * DAY_MS);
  expect(await harness.pool.isTokenLive(factsOf(used.IdToken))).toBe(true);
  harness.advanceClock(DAY_MS);
  expect(await harness.pool.isTokenLive(factsOf(used.IdToken))).toBe(true);
  expect(await harness.pool.isTokenLive(factsOf(unused.IdToken))).toBe(false);
});

it("refreshes and revokes for the pool's client only, and not for a deleted account or session", async () => {
  const account = await harness.register();
  const { RefreshToken } = await signIn(account);
  const refresh = (ClientId: string) =>
    callPool(harness.pool, "GetTokensFromRefreshToken", { ClientId, RefreshToken });
  const unknown = { __type: "ResourceNotFoundException" };
  expect(await refresh("another")).toMatchObject(unknown);
  expect(
    await callPool(harness.pool, "RevokeToken", { ClientId: "another", Token: RefreshToken }),
  ).toMatchObject(unknown);
  expect(await refresh(harness.clientId)).toHaveProperty("AuthenticationResult");
  const revoked = { message: "Refresh Token has been revoked" };
  await d1.prepare("DELETE FROM pool_sessions").run();
  expect(await refresh(harness.clientId)).toMatchObject(revoked);
  const { AccessToken } = await signIn(account);
  await callPool(harness.pool, "DeleteUser", { AccessToken });
  expect(await callPool(harness.pool, "GetUser", { AccessToken })).toMatchObject({
    __type: "UserNotFoundException",
    message: "User does not exist.",
  });
  expect(await refresh(harness.clientId)).toMatchObject(revoked);
});

it("deletes everything that belongs to an account", async () => {
  const account = await harness.register();
  const { AccessToken } = await signIn(account);
  await callPool(harness.pool, "ForgotPassword", { ClientId: harness.clientId, Username: account.phone });
  const change = { AccessToken, PreviousPassword: "Wrong-1-password", ProposedPassword: PASSWORD };
  await callPool(harness.pool, "ChangePassword", change);
  await callPool(harness.pool, "DeleteUser", { AccessToken });
  const counts: [string, number][] = [];
  for (const table of ["pool_users", "pool_sessions", "pool_codes", "pool_attempts"]) {
    const { results } = await d1.prepare(`SELECT * FROM ${table}`).all();
    counts.push([table, results.length]);
  }
  expect(counts).toEqual([
    ["pool_users", 0],
    ["pool_sessions", 0],
    ["pool_codes", 0],
    ["pool_attempts", 0],
  ]);
});

it("refuses a disabled account, and reveals it only to callers who know the password", async () => {
  const account = await harness.register();
  const { AccessToken, RefreshToken } = await signIn(account);
  await harness.db.update(poolUsers).set({ enabled: false }).where(eq(poolUsers.phoneNumber, account.phone));
  const start = (PASSWORD: string) =>
    callPool(harness.pool, "InitiateAuth", {
      ClientId: harness.clientId,
      AuthFlow: "USER_PASSWORD_AUTH",
      AuthParameters: { USERNAME: account.phone, PASSWORD },
    });
  expect(await start("Wrong-1-password")).toMatchObject({ message: "Incorrect username or password." });
  expect(await start(account.password)).toMatchObject({ message: "User is disabled." });
  const refresh = { ClientId: harness.clientId, RefreshToken };
  expect(await callPool(harness.pool, "GetTokensFromRefreshToken", refresh)).toMatchObject({
    message: "User is disabled.",
  });
  expect(await callPool(harness.pool, "GetUser", { AccessToken })).toMatchObject({
    message: "User is disabled.",
  });
  const texts = harness.texts.length;
  harness.advanceClock(60_000);
  const AuthParameters = { USERNAME: account.phone };
  const custom = { ClientId: harness.clientId, AuthFlow: "CUSTOM_AUTH", AuthParameters };
  expect(await callPool(harness.pool, "InitiateAuth", custom)).toMatchObject({
    ChallengeName: "CUSTOM_CHALLENGE",
  });
  expect(harness.texts).toHaveLength(texts);
});

it("refuses a device with the password flow too", async () => {
  const account = await harness.register();
  const DEVICE_KEY = "local_0f8fad5b-d9cb-469f-a165-70867728950e";
  expect(await harness.start(account, { DEVICE_KEY })).toEqual({
    __type: "ResourceNotFoundException",
    message: "Device does not exist.",
  });
});
