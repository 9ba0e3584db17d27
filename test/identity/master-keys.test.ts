import { decodeProtectedHeader } from "jose";
import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { poolSessions, poolUsers } from "../../db/schema/identity.ts";
import type { UserPool } from "../../worker/identity/user-pool.ts";
import { newPhone, openPoolHarness, PASSWORD, type PoolHarness } from "./harness.ts";
import { callPool, masterKeys, signInAt } from "./sibling-pools.ts";
import { codeFromSecret } from "./totp-code.ts";

let harness: PoolHarness;
beforeEach(async () => {
  harness = await openPoolHarness();
});

const poolWith = (names: Parameters<typeof masterKeys>[0]) =>
  harness.createSiblingPool({ keys: masterKeys(names) });

it("keeps accounts and tokens working while master keys are rotated", async () => {
  const account = await harness.register();
  const [old, both, fresh] = [poolWith("a"), poolWith("ba"), poolWith("b")];
  const sealedBefore = harness.createSiblingPool({});
  await callPool(sealedBefore, "ForgotPassword", { ClientId: harness.clientId, Username: account.phone });
  const phone = "+15559990000";
  await callPool(old, "SignUp", { ClientId: harness.clientId, Username: phone, Password: account.password });
  const ConfirmationCode = harness.codeFor(phone);
  await callPool(both, "ConfirmSignUp", { ClientId: harness.clientId, Username: phone, ConfirmationCode });
  const first = await signInAt(old, { ...account, phone });
  const second = await signInAt(both, { ...account, phone });
  expect(decodeProtectedHeader(second.IdToken).kid).toBe(decodeProtectedHeader(first.IdToken).kid);
  const third = await signInAt(fresh, { ...account, phone });
  expect(decodeProtectedHeader(third.IdToken).kid).not.toBe(decodeProtectedHeader(first.IdToken).kid);
  for (const { AccessToken } of [first, third]) {
    expect(await callPool(fresh, "GetUser", { AccessToken })).toHaveProperty("Username");
  }
  // A verifier under a removed master key can't be decrypted: its user has to reset the password.
  expect(
    await callPool(fresh, "InitiateAuth", {
      ClientId: harness.clientId,
      AuthFlow: "USER_PASSWORD_AUTH",
      AuthParameters: { USERNAME: account.phone, PASSWORD: account.password },
    }),
  ).toMatchObject({ __type: "PasswordResetRequiredException" });
});

it("keeps authenticator secrets working while master keys are rotated", async () => {
  const [old, both, fresh] = [poolWith("a"), poolWith("ba"), poolWith("b")];
  const [phone, password] = ["+15559990001", PASSWORD];
  const ClientId = harness.clientId;
  await callPool(old, "SignUp", { ClientId, Username: phone, Password: password });
  await callPool(old, "ConfirmSignUp", {
    ClientId,
    Username: phone,
    ConfirmationCode: harness.codeFor(phone),
  });
  const { AccessToken } = await signInAt(old, { phone, password });
  const { SecretCode } = Object(await callPool(old, "AssociateSoftwareToken", { AccessToken }));
  await callPool(old, "VerifySoftwareToken", { AccessToken, UserCode: await codeFromSecret(SecretCode) });
  const SoftwareTokenMfaSettings = { Enabled: true, PreferredMfa: true };
  await callPool(old, "SetUserMFAPreference", { AccessToken, SoftwareTokenMfaSettings });

  for (const pool of [both, fresh]) {
    harness.advanceClock(60_000);
    const AuthParameters = { USERNAME: phone, PASSWORD: password };
    const start = { ClientId, AuthFlow: "USER_PASSWORD_AUTH", AuthParameters };
    const { ChallengeName, Session } = Object(await callPool(pool, "InitiateAuth", start));
    const SOFTWARE_TOKEN_MFA_CODE = await codeFromSecret(SecretCode);
    const ChallengeResponses = { USERNAME: phone, SOFTWARE_TOKEN_MFA_CODE };
    expect(
      await callPool(pool, "RespondToAuthChallenge", {
        ClientId,
        ChallengeName,
        Session,
        ChallengeResponses,
      }),
    ).toMatchObject({ AuthenticationResult: { TokenType: "Bearer" } });
  }
});

it("seals an authenticator secret anew that waits for its first code", async () => {
  const old = poolWith("a");
  const [ClientId, Username] = [harness.clientId, "+15559990003"];
  await callPool(old, "SignUp", { ClientId, Username, Password: PASSWORD });
  await callPool(old, "ConfirmSignUp", { ClientId, Username, ConfirmationCode: harness.codeFor(Username) });
  const { AccessToken } = await signInAt(old, { phone: Username, password: PASSWORD });
  const { SecretCode } = Object(await callPool(old, "AssociateSoftwareToken", { AccessToken }));
  await poolWith("ba").resealSecrets({ lostIds: [], limit: 10 });
  const [row] = await harness.db.select().from(poolUsers).where(eq(poolUsers.phoneNumber, Username));
  expect(row?.totpPending).toMatch(/^v1\.b\./);
  const fresh = poolWith("ba");
  const UserCode = await codeFromSecret(SecretCode);
  expect(await callPool(fresh, "VerifySoftwareToken", { AccessToken, UserCode })).toEqual({
    Status: "SUCCESS",
  });
});

it("counts the session under the master key that sealed its last refresh token", async () => {
  const [before, after] = [poolWith("a"), poolWith("ba")];
  const [ClientId, Username] = [harness.clientId, "+15559990002"];
  await callPool(before, "SignUp", { ClientId, Username, Password: PASSWORD });
  await callPool(before, "ConfirmSignUp", {
    ClientId,
    Username,
    ConfirmationCode: harness.codeFor(Username),
  });
  const { RefreshToken } = await signInAt(before, { phone: Username, password: PASSWORD });
  const keyIds = () => harness.db.select({ keyId: poolSessions.keyId }).from(poolSessions);
  expect(await keyIds()).toEqual([{ keyId: "a" }]);
  await callPool(after, "GetTokensFromRefreshToken", { ClientId, RefreshToken });
  expect(await keyIds()).toEqual([{ keyId: "b" }]);
});

it("gives unknown names the same salt while master keys are rotated", async () => {
  const AuthParameters = { USERNAME: newPhone(), SRP_A: "f".repeat(700) };
  const body = { ClientId: harness.clientId, AuthFlow: "USER_SRP_AUTH", AuthParameters };
  const begin = async (pool: UserPool) => {
    const { ChallengeParameters } = await callPool(pool, "InitiateAuth", body);
    const { SALT, USERNAME } = Object(ChallengeParameters);
    return { SALT, USERNAME };
  };
  expect(await begin(poolWith("ba"))).toEqual(await begin(poolWith("a")));
});
