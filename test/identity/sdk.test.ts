import * as aws from "@aws-sdk/client-cognito-identity-provider";
import { createSrpSession, signSrpSession, wrapAuthChallenge, wrapInitiateAuth } from "cognito-srp-helper";
import { afterEach, expect, it, vi } from "vitest";
import { skipTimers } from "../support/skip-timers.ts";
import { errorOf, newPhone, openPoolHarness, PASSWORD } from "./harness.ts";
import { codeFromSecret } from "./totp-code.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

async function open() {
  const harness = await openPoolHarness();
  const client = new aws.CognitoIdentityProviderClient({
    region: "local",
    endpoint: harness.endpoint,
    credentials: { accessKeyId: "none", secretAccessKey: "none" },
  });
  return { harness, client, ClientId: harness.clientId };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** Signs in with cognito-srp-helper, in two steps. */
async function signIn(
  { harness, client, ClientId }: Opened,
  { phone, password }: { phone: string; password: string },
): Promise<{ AccessToken: string; RefreshToken: string; respond: () => Promise<unknown> }> {
  const session = createSrpSession(phone, password, harness.poolId, false);
  const started = await client.send(
    new aws.InitiateAuthCommand(
      wrapInitiateAuth(session, { ClientId, AuthFlow: "USER_SRP_AUTH", AuthParameters: { USERNAME: phone } }),
    ),
  );
  const response: aws.RespondToAuthChallengeCommandInput = wrapAuthChallenge(
    signSrpSession(session, started),
    {
      ClientId,
      ChallengeName: aws.ChallengeNameType.PASSWORD_VERIFIER,
      ChallengeResponses: { USERNAME: phone },
    },
  );
  const respond = () => client.send(new aws.RespondToAuthChallengeCommand(response));
  const { AuthenticationResult } = await respond();
  const { AccessToken = "", RefreshToken = "" } = AuthenticationResult ?? {};
  return { AccessToken, RefreshToken, respond };
}

it("registers, signs in by SRP, and cannot use a proof twice", async () => {
  const opened = await open();
  const { harness, client, ClientId } = opened;
  const account = { phone: newPhone(), password: PASSWORD };
  const Username = account.phone;
  const { UserSub, UserConfirmed } = await client.send(
    new aws.SignUpCommand({ ClientId, Username, Password: PASSWORD }),
  );
  expect(UserConfirmed).toBe(false);
  expect(await errorOf(signIn(opened, account))).toMatchObject({ type: "UserNotConfirmedException" });
  harness.advanceClock(31_000);
  await client.send(new aws.ResendConfirmationCodeCommand({ ClientId, Username }));
  const ConfirmationCode = harness.codeFor(account.phone);
  await client.send(
    new aws.ConfirmSignUpCommand({ ClientId, Username, ConfirmationCode, ForceAliasCreation: true }),
  );
  const { AccessToken, respond } = await signIn(opened, account);
  expect(await client.send(new aws.GetUserCommand({ AccessToken }))).toMatchObject({ Username: UserSub });
  expect(await errorOf(respond())).toMatchObject({
    type: "NotAuthorizedException",
    message: "Incorrect username or password.",
  });
});

it("throws the SDK's exceptions", async () => {
  const opened = await open();
  const { harness, client, ClientId } = opened;
  const account = await harness.register();
  const wrong = signIn(opened, { ...account, password: "Wrong-1-password" });
  await expect(wrong).rejects.toBeInstanceOf(aws.NotAuthorizedException);
  await expect(
    client.send(new aws.SignUpCommand({ ClientId, Username: account.phone, Password: PASSWORD })),
  ).rejects.toBeInstanceOf(aws.UsernameExistsException);
  await expect(
    client.send(new aws.ForgotPasswordCommand({ ClientId, Username: newPhone() })),
  ).rejects.toBeInstanceOf(aws.UserNotFoundException);
  await expect(
    client.send(new aws.ForgotPasswordCommand({ ClientId: "another", Username: account.phone })),
  ).rejects.toBeInstanceOf(aws.ResourceNotFoundException);
  await expect(client.send(new aws.ListUsersCommand({ UserPoolId: harness.poolId }))).rejects.toMatchObject({
    name: "UnknownOperationException",
  });
  const Username = newPhone();
  await client.send(new aws.SignUpCommand({ ClientId, Username, Password: PASSWORD }));
  const resend = () => client.send(new aws.ResendConfirmationCodeCommand({ ClientId, Username }));
  await resend();
  skipTimers();
  await expect(resend()).rejects.toBeInstanceOf(aws.LimitExceededException);
});

it("refreshes with both operations until the token is revoked", async () => {
  const opened = await open();
  const { harness, client, ClientId } = opened;
  const { RefreshToken } = await signIn(opened, await harness.register());
  const byFlow = (AuthFlow: "REFRESH_TOKEN_AUTH" | "REFRESH_TOKEN") =>
    client.send(
      new aws.InitiateAuthCommand({ ClientId, AuthFlow, AuthParameters: { REFRESH_TOKEN: RefreshToken } }),
    );
  const byCall = () => client.send(new aws.GetTokensFromRefreshTokenCommand({ ClientId, RefreshToken }));
  for (const refresh of [() => byFlow("REFRESH_TOKEN_AUTH"), () => byFlow("REFRESH_TOKEN"), byCall]) {
    const { AuthenticationResult } = await refresh();
    expect(AuthenticationResult).toMatchObject({ ExpiresIn: 3600, TokenType: "Bearer" });
    expect(AuthenticationResult?.RefreshToken).toEqual(expect.any(String));
  }
  await client.send(new aws.RevokeTokenCommand({ ClientId, Token: RefreshToken }));
  await client.send(new aws.RevokeTokenCommand({ ClientId, Token: "an-unknown-token" }));
  expect(await errorOf(byCall())).toMatchObject({ message: "Refresh Token has been revoked" });
});

it("changes password, attributes, phone number and second factors, and signs out", async () => {
  const opened = await open();
  const { harness, client, ClientId } = opened;
  const account = await harness.register();
  const { AccessToken } = await signIn(opened, account);
  await client.send(
    new aws.ChangePasswordCommand({
      AccessToken,
      PreviousPassword: PASSWORD,
      ProposedPassword: "Other-2-password",
    }),
  );
  const next = newPhone();
  const UserAttributes = [
    { Name: "phone_number", Value: next },
    { Name: "nickname", Value: "Ana" },
  ];
  const updated = await client.send(new aws.UpdateUserAttributesCommand({ AccessToken, UserAttributes }));
  expect(updated.CodeDeliveryDetailsList).toHaveLength(1);
  harness.advanceClock(31_000);
  const AttributeName = "phone_number";
  await client.send(new aws.GetUserAttributeVerificationCodeCommand({ AccessToken, AttributeName }));
  const Code = harness.codeFor(next);
  await client.send(new aws.VerifyUserAttributeCommand({ AccessToken, AttributeName, Code }));
  await client.send(new aws.DeleteUserAttributesCommand({ AccessToken, UserAttributeNames: ["nickname"] }));
  const { SecretCode } = await client.send(new aws.AssociateSoftwareTokenCommand({ AccessToken }));
  const UserCode = await codeFromSecret(SecretCode ?? "");
  await client.send(new aws.VerifySoftwareTokenCommand({ AccessToken, UserCode }));
  await client.send(
    new aws.SetUserMFAPreferenceCommand({
      AccessToken,
      SMSMfaSettings: { Enabled: true },
      SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: true },
    }),
  );
  const user = await client.send(new aws.GetUserCommand({ AccessToken }));
  expect(user).toMatchObject({
    UserMFASettingList: ["SMS_MFA", "SOFTWARE_TOKEN_MFA"],
    PreferredMfaSetting: "SOFTWARE_TOKEN_MFA",
  });
  expect(user.UserAttributes).toContainEqual({ Name: "phone_number", Value: next });
  await client.send(new aws.ForgotPasswordCommand({ ClientId, Username: next }));
  await client.send(
    new aws.ConfirmForgotPasswordCommand({
      ClientId,
      Username: next,
      ConfirmationCode: harness.codeFor(next),
      Password: "Third-3-password",
    }),
  );
  expect(await errorOf(client.send(new aws.GlobalSignOutCommand({ AccessToken })))).toMatchObject({
    message: "Access Token has been revoked",
  });
  const { Session, ChallengeName } = await client.send(
    new aws.InitiateAuthCommand({
      ClientId,
      AuthFlow: "USER_PASSWORD_AUTH",
      AuthParameters: { USERNAME: next, PASSWORD: "Third-3-password" },
    }),
  );
  harness.advanceClock(60_000);
  const ended = await client.send(
    new aws.RespondToAuthChallengeCommand({
      ClientId,
      Session,
      ChallengeName,
      ChallengeResponses: {
        USERNAME: next,
        SOFTWARE_TOKEN_MFA_CODE: await codeFromSecret(SecretCode ?? ""),
      },
    }),
  );
  await client.send(new aws.GlobalSignOutCommand({ AccessToken: ended.AuthenticationResult?.AccessToken }));
  expect(harness.pool.issuer).toBe("https://jornada.test/identity/local_Jornada1");
});

it("gets the error of a pool without device tracking from every device operation", async () => {
  const opened = await open();
  const { AccessToken, RefreshToken } = await signIn(opened, await opened.harness.register());
  const { client, ClientId } = opened;
  const DeviceKey = "local_0f8fad5b-d9cb-469f-a165-70867728950e";
  const DeviceSecretVerifierConfig = { Salt: "AQ==", PasswordVerifier: "AQ==" };
  const answers = [
    client.send(new aws.ConfirmDeviceCommand({ AccessToken, DeviceKey, DeviceSecretVerifierConfig })),
    client.send(
      new aws.UpdateDeviceStatusCommand({ AccessToken, DeviceKey, DeviceRememberedStatus: "remembered" }),
    ),
    client.send(new aws.GetDeviceCommand({ AccessToken, DeviceKey })),
    client.send(new aws.ListDevicesCommand({ AccessToken })),
    client.send(new aws.ForgetDeviceCommand({ AccessToken, DeviceKey })),
  ];
  for (const answer of await Promise.allSettled(answers)) {
    expect(answer).toMatchObject({ reason: expect.any(aws.InvalidUserPoolConfigurationException) });
  }
  await expect(client.send(new aws.ListDevicesCommand({ AccessToken: "forged" }))).rejects.toBeInstanceOf(
    aws.NotAuthorizedException,
  );
  const { AuthenticationResult } = await client.send(
    new aws.GetTokensFromRefreshTokenCommand({ ClientId, RefreshToken, DeviceKey }),
  );
  expect(AuthenticationResult?.TokenType).toBe("Bearer");
});
