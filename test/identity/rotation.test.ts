import { CognitoRefreshToken } from "amazon-cognito-identity-js";
import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { poolSessions } from "../../db/schema/identity.ts";
import { newStorage, openClient, promisify, signIn } from "./cognito-identity-js.ts";
import { claimsOf, openPoolHarness, type PoolHarness, type Tokens } from "./harness.ts";

const MINUTE_MS = 60_000;

let harness: PoolHarness;
beforeEach(async () => {
  harness = await openPoolHarness();
});

type Answer = { __type?: string; message?: string; tokens: Partial<Tokens> };

async function byFlow(REFRESH_TOKEN: string): Promise<Answer> {
  const AuthParameters = { REFRESH_TOKEN };
  const start = { ClientId: harness.clientId, AuthFlow: "REFRESH_TOKEN_AUTH", AuthParameters };
  const { body } = await harness.call("InitiateAuth", start);
  return { ...body, tokens: Object(body["AuthenticationResult"]) };
}

async function byCall(RefreshToken: string): Promise<Answer> {
  const call = { ClientId: harness.clientId, RefreshToken };
  const { body } = await harness.call("GetTokensFromRefreshToken", call);
  return { ...body, tokens: Object(body["AuthenticationResult"]) };
}

const REVOKED = { __type: "NotAuthorizedException", message: "Refresh Token has been revoked" };

it.each([
  ["InitiateAuth", byFlow],
  ["GetTokensFromRefreshToken", byCall],
])("replaces the refresh token by %s, and takes the one before for a minute", async (_name, refresh) => {
  const first = (await harness.signIn(await harness.register())).RefreshToken;
  const second = (await refresh(first)).tokens.RefreshToken ?? "";
  expect(second).not.toBe(first);
  harness.advanceClock(MINUTE_MS);
  const late = (await refresh(first)).tokens;
  expect(late).toMatchObject({ IdToken: expect.any(String), RefreshToken: expect.any(String) });
  const third = (await refresh(second)).tokens.RefreshToken ?? "";
  expect((await refresh(third)).tokens).toHaveProperty("RefreshToken");
});

it("gives two tabs that renew at once tokens of one session, which both can renew again", async () => {
  const { RefreshToken, IdToken } = await harness.signIn(await harness.register());
  const answers = await Promise.all([byFlow(RefreshToken), byFlow(RefreshToken), byCall(RefreshToken)]);
  for (const { tokens } of answers) {
    expect(claimsOf(tokens.IdToken ?? "")["origin_jti"]).toBe(claimsOf(IdToken)["origin_jti"]);
  }
  const again = await Promise.all(answers.map(({ tokens }) => byFlow(tokens.RefreshToken ?? "")));
  expect(again.map(({ tokens }) => typeof tokens.RefreshToken)).toEqual(["string", "string", "string"]);
});

it.each([
  ["InitiateAuth", byFlow, REVOKED],
  ["GetTokensFromRefreshToken", byCall, { __type: "RefreshTokenReuseException" }],
])(
  "ends the session for everyone when %s gets a token that was replaced long ago",
  async (_name, refresh, refusal) => {
    const account = await harness.register();
    const { RefreshToken, AccessToken } = await harness.signIn(account);
    const other = await harness.signIn(account);
    const { tokens } = await byFlow(RefreshToken);
    harness.advanceClock(MINUTE_MS + 1);
    expect(await refresh(RefreshToken)).toMatchObject(refusal);
    for (const token of [RefreshToken, tokens.RefreshToken ?? ""])
      expect(await byFlow(token)).toMatchObject(REVOKED);
    for (const token of [AccessToken, tokens.AccessToken]) {
      expect((await harness.call("GetUser", { AccessToken: token })).body["message"]).toBe(
        "Access Token has been revoked",
      );
    }
    expect((await byFlow(other.RefreshToken)).tokens).toHaveProperty("IdToken");
    expect(harness.logs).toEqual([{ event: "identity.refresh.reused", driverId: account.sub }]);
  },
);

it("ends the session at once where the one before the last is used, however soon", async () => {
  const { RefreshToken } = await harness.signIn(await harness.register());
  const { tokens } = await byFlow(RefreshToken);
  await byFlow(tokens.RefreshToken ?? "");
  expect(await byFlow(RefreshToken)).toMatchObject(REVOKED);
  expect(await byFlow(tokens.RefreshToken ?? "")).toMatchObject(REVOKED);
});

it("does not prolong a session by renewing it", async () => {
  let { RefreshToken } = await harness.signIn(await harness.register());
  for (let day = 0; day < 29; day += 1) {
    harness.advanceClock(24 * 60 * MINUTE_MS);
    RefreshToken = (await byFlow(RefreshToken)).tokens.RefreshToken ?? "";
  }
  harness.advanceClock(24 * 60 * MINUTE_MS);
  expect(await byFlow(RefreshToken)).toMatchObject({ message: "Refresh Token has expired" });
});

it("is kept up by the unmodified library, which stores the new token", async () => {
  const account = await harness.register();
  const storage = newStorage();
  const { user } = await signIn(openClient(harness, storage), account);
  const stored = () =>
    storage.getItem(`CognitoIdentityServiceProvider.${harness.clientId}.${account.sub}.refreshToken`);
  const seen = new Set([stored()]);
  for (let hour = 0; hour < 3; hour += 1) {
    harness.advanceClock(61 * MINUTE_MS);
    const found = openClient(harness, storage).pool.getCurrentUser() ?? user;
    await promisify((done) => found.getSession(done));
    seen.add(stored());
  }
  expect(seen.size).toBe(4);
  const RefreshToken = new CognitoRefreshToken({ RefreshToken: stored() ?? "" });
  await promisify((done) => user.refreshSession(RefreshToken, done));
});

it("takes a refresh token from before tokens were replaced", async () => {
  const account = await harness.register();
  const { RefreshToken, IdToken } = await harness.signIn(account);
  const plain = await harness.context.keys.open("refresh", {
    sealed: RefreshToken,
    context: "refresh token",
  });
  const { generation: _, ...old } = JSON.parse(plain ?? "{}");
  const sealed = await harness.context.keys.seal("refresh", {
    plain: JSON.stringify(old),
    context: "refresh token",
  });
  expect((await byFlow(sealed)).tokens).toHaveProperty("RefreshToken");
  const [row] = await harness.db
    .select()
    .from(poolSessions)
    .where(eq(poolSessions.originJti, String(claimsOf(IdToken)["origin_jti"])));
  expect(row?.generation).toBe(1);
});
