import { beforeEach, expect, it } from "vitest";
import { newPhone, openPoolHarness, PASSWORD, type PoolHarness } from "./harness.ts";

let harness: PoolHarness;
beforeEach(async () => {
  harness = await openPoolHarness();
});

it("names the invalid member of a request", async () => {
  const Username = newPhone();
  const cases: [object, string][] = [
    [
      { Username, Password: PASSWORD },
      "1 validation error detected: Value at 'clientId' failed to satisfy constraint: Member must not be null",
    ],
    [
      { ClientId: harness.clientId, Username, Password: " x " },
      "1 validation error detected: Value at 'password' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\S]+.*[\\S]+",
    ],
    [
      { ClientId: harness.clientId, Username: "", Password: PASSWORD },
      "2 validation errors detected: Value at 'username' failed to satisfy constraint: Member must have length greater than or equal to 1; Value at 'username' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+",
    ],
    [
      { ClientId: harness.clientId, Password: " x " },
      "2 validation errors detected: Value at 'username' failed to satisfy constraint: Member must not be null; Value at 'password' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\S]+.*[\\S]+",
    ],
    [
      {
        ClientId: harness.clientId,
        Username,
        Password: PASSWORD,
        UserAttributes: [{ Name: "a".repeat(33) }],
      },
      "1 validation error detected: Value at 'userAttributes.0.name' failed to satisfy constraint: Member must have length less than or equal to 32",
    ],
    [
      { ClientId: harness.clientId, Username: "1".repeat(129), Password: PASSWORD },
      "1 validation error detected: Value at 'username' failed to satisfy constraint: Member must have length less than or equal to 128",
    ],
  ];
  for (const [body, message] of cases) {
    expect((await harness.call("SignUp", body)).body).toEqual({
      __type: "InvalidParameterException",
      message,
    });
  }
});

it("names a missing flow and a missing session", async () => {
  const ClientId = harness.clientId;
  expect((await harness.call("InitiateAuth", { ClientId })).body).toEqual({
    __type: "InvalidParameterException",
    message:
      "1 validation error detected: Value at 'authFlow' failed to satisfy constraint: Member must not be null",
  });
  const ChallengeResponses = { USERNAME: newPhone(), SMS_MFA_CODE: "123456" };
  const response = { ClientId, ChallengeName: "SMS_MFA", ChallengeResponses };
  expect((await harness.call("RespondToAuthChallenge", response)).body).toEqual({
    __type: "InvalidParameterException",
    message: "Missing required parameter Session",
  });
});

it("refuses unsupported flows and missing parameters", async () => {
  const start = (AuthFlow: string, AuthParameters: object) =>
    harness.call("InitiateAuth", { ClientId: harness.clientId, AuthFlow, AuthParameters });
  const errorOf = async (AuthFlow: string, AuthParameters: object) =>
    (await start(AuthFlow, AuthParameters)).body;
  const invalid = (message: string) => ({ __type: "InvalidParameterException", message });
  for (const flow of ["ADMIN_USER_PASSWORD_AUTH", "ADMIN_NO_SRP_AUTH"]) {
    expect(await errorOf(flow, {})).toEqual(invalid("Initiate Auth method not supported."));
  }
  expect(await errorOf("USER_AUTH", {})).toEqual(invalid("USER_AUTH is not enabled for the client."));
  expect(await errorOf("USER_SRP_AUTH", {})).toEqual(invalid("Missing required parameter USERNAME"));
  expect(await errorOf("USER_SRP_AUTH", { USERNAME: "a" })).toEqual(
    invalid("Missing required parameter SRP_A"),
  );
  expect(await errorOf("USER_SRP_AUTH", { USERNAME: "a", SRP_A: "0" })).toEqual(
    invalid("SRP_A is not a valid public number."),
  );
  expect(await errorOf("USER_PASSWORD_AUTH", { USERNAME: "a" })).toEqual(
    invalid("Missing required parameter PASSWORD"),
  );
  expect(await errorOf("USER_PASSWORD_AUTH", { USERNAME: "a", PASSWORD: "" })).toEqual(
    invalid("Missing required parameter PASSWORD"),
  );
  expect(await errorOf("USER_PASSWORD_AUTH", { USERNAME: "a", PASSWORD: null })).toEqual(
    invalid("Missing required parameter PASSWORD"),
  );
  expect(await errorOf("REFRESH_TOKEN_AUTH", {})).toEqual(
    invalid("Missing required parameter REFRESH_TOKEN"),
  );
  expect(await errorOf("NO_SUCH_FLOW", {})).toMatchObject({ __type: "InvalidParameterException" });
});

it("repeats a word that no enumeration has, and no value of the caller's", async () => {
  const ClientId = harness.clientId;
  const start = await harness.call("InitiateAuth", { ClientId, AuthFlow: "NO_SUCH_FLOW" });
  expect(start.body["message"]).toMatch(
    /^1 validation error detected: Value 'NO_SUCH_FLOW' at 'authFlow' failed to satisfy constraint: Member must satisfy enum value set: \[USER_SRP_AUTH, /,
  );
  const answer = await harness.call("RespondToAuthChallenge", { ClientId, ChallengeName: "CAPTCHA" });
  expect(answer.body["message"]).toContain("Value 'CAPTCHA' at 'challengeName'");
});

it("refuses a secret hash, since its client has no secret, after an unknown client and before anything else", async () => {
  const { phone } = await harness.register();
  const SECRET_HASH = "Zm9yZ2Vk";
  const named = { Username: phone, SecretHash: SECRET_HASH };
  const claims: [string, object][] = [
    ["SignUp", { ...named, Password: "weak-but-long" }],
    ["ConfirmSignUp", { ...named, ConfirmationCode: "000000" }],
    ["ResendConfirmationCode", named],
    ["ForgotPassword", named],
    ["ConfirmForgotPassword", { ...named, ConfirmationCode: "000000", Password: PASSWORD }],
    ...["USER_PASSWORD_AUTH", "USER_SRP_AUTH", "CUSTOM_AUTH", "REFRESH_TOKEN_AUTH"].map(
      (AuthFlow): [string, object] => ["InitiateAuth", { AuthFlow, AuthParameters: { SECRET_HASH } }],
    ),
    [
      "RespondToAuthChallenge",
      { ChallengeName: "PASSWORD_VERIFIER", ChallengeResponses: { USERNAME: phone, SECRET_HASH } },
    ],
  ];
  const before = harness.texts.length;
  for (const [operation, claim] of claims) {
    expect((await harness.call(operation, { ClientId: harness.clientId, ...claim })).body).toEqual({
      __type: "NotAuthorizedException",
      message: "Unable to verify secret hash for client jornadaweb",
    });
    expect((await harness.call(operation, { ClientId: "other", ...claim })).body).toEqual({
      __type: "ResourceNotFoundException",
      message: "User pool client other does not exist.",
    });
  }
  expect(harness.texts).toHaveLength(before);
});

it.each([
  ["SignUp", { Username: "+15550100123", Password: PASSWORD }],
  ["ConfirmSignUp", { Username: "+15550100123", ConfirmationCode: "123456" }],
  ["ResendConfirmationCode", { Username: "+15550100123" }],
  ["ForgotPassword", { Username: "+15550100123" }],
  ["ConfirmForgotPassword", { Username: "+15550100123", ConfirmationCode: "123456", Password: PASSWORD }],
  [
    "InitiateAuth",
    { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters: { USERNAME: "+15550100123", PASSWORD } },
  ],
  [
    "RespondToAuthChallenge",
    { ChallengeName: "SMS_MFA", Session: "a".repeat(40), ChallengeResponses: { USERNAME: "+15550100123" } },
  ],
  ["GetTokensFromRefreshToken", { RefreshToken: "token" }],
  ["RevokeToken", { Token: "token" }],
])("refuses %s of a client that is not the pool's", async (operation, input) => {
  const { body } = await harness.call(operation, { ...input, ClientId: "another" });
  expect(body).toMatchObject({ __type: "ResourceNotFoundException" });
});
