import { decodeJwt } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { addPoolUser, findPoolUser } from "../../db/queries/identity/pool-users.ts";
import { sealVerifier } from "../../worker/identity/accounts/verifiers.ts";
import { makeVerifier, precompute } from "../../worker/identity/protocol/srp.ts";
import { formatTimestamp } from "../../worker/identity/sign-in/proofs.ts";
import { loadOrCreateSigningKeys } from "../../worker/identity/tokens/signing-keys.ts";
import { issueSession } from "../../worker/identity/tokens/tokens.ts";
import { poolUser } from "../support/pool-user.ts";
import { NOW, openPool, OTHER_PHONE, OWNER, PASSWORD, PHONE, type Pool } from "./pool-harness.ts";
import { CLIENT_NUMBER, signProof } from "./srp-client.ts";

const MINUTE_MS = 60_000;
const OTHER_PASSWORD = "Quite-another-2";

// A verifier and two key pairs are most of a test's time: made once per file.
const first = openPool();
const verifier = await makeVerifier({ pool: "Jornada1", user: OWNER, password: PASSWORD }, 0x5a17n);
const password = await sealVerifier(first.context, OWNER, precompute(verifier));
await addPoolUser(first.context.db, poolUser({ id: OWNER, phoneNumber: PHONE, password }));
await loadOrCreateSigningKeys(first.context);
const image = first.image();

let at: Pool;
beforeEach(() => {
  at = openPool({ settings: { secondFactors: true } }, image);
});

type Parameters = Record<string, string>;
type Challenge = { ChallengeName: string; Session?: string; ChallengeParameters: Parameters };
const start = (AuthFlow: string, AuthParameters: Parameters) =>
  at.call("InitiateAuth", { AuthFlow, AuthParameters: { USERNAME: PHONE, ...AuthParameters } });
const withPassword = (more: Parameters = {}) => start("USER_PASSWORD_AUTH", { PASSWORD, ...more });
const withCode = async (USERNAME = PHONE): Promise<Challenge> =>
  (await start("CUSTOM_AUTH", { USERNAME })).answer;
const respond = async (
  { ChallengeName, Session }: Omit<Challenge, "ChallengeParameters">,
  given: Parameters,
) =>
  (
    await at.call("RespondToAuthChallenge", {
      ChallengeName,
      Session,
      ChallengeResponses: { USERNAME: PHONE, ...given },
    })
  ).answer;
const update = (change: string) => at.run(`UPDATE pool_users SET ${change}`);

const SIGNED_IN = { AuthenticationResult: expect.any(Object), ChallengeParameters: {} };
const refusal = (message: string) => ({ __type: "NotAuthorizedException", message });
const WRONG = refusal("Incorrect username or password.");
const DISABLED = refusal("User is disabled.");
const NO_SESSION = refusal("Invalid session for the user.");
const UNCONFIRMED = { __type: "UserNotConfirmedException", message: "User is not confirmed." };
const NO_DEVICE = { __type: "ResourceNotFoundException", message: "Device does not exist." };

describe("a sign-in with the password", () => {
  it("makes the browser known", async () => {
    const { answer, headers } = await withPassword();
    expect(answer).toEqual(SIGNED_IN);
    expect(headers.get("set-cookie")).toMatch(/^__Secure-known-browser=/);
  });

  it.each<[string, Parameters, object]>([
    ["status = 'UNCONFIRMED'", {}, UNCONFIRMED],
    ["enabled = 0", {}, DISABLED],
    ["enabled = 1", { DEVICE_KEY: "local_0f8fad5b" }, NO_DEVICE],
  ])("is refused where %s, with %j", async (change, more, expected) => {
    update(change);
    expect((await withPassword(more)).answer).toEqual(expected);
  });

  it("issues an id token and an access token of the account, each for its use", async () => {
    const { IdToken, AccessToken } = (await withPassword()).answer.AuthenticationResult;
    const now = NOW / 1000;
    const both = { sub: OWNER, auth_time: now, iat: now, exp: now + 3600 };
    expect(decodeJwt(IdToken)).toMatchObject({
      ...both,
      token_use: "id",
      aud: "jornadaweb",
      "cognito:username": OWNER,
      phone_number: PHONE,
      phone_number_verified: true,
    });
    expect(decodeJwt(AccessToken)).toMatchObject({
      ...both,
      token_use: "access",
      client_id: "jornadaweb",
      username: OWNER,
      scope: "aws.cognito.signin.user.admin",
    });
  });

  it("names its email in the id token, and says that nobody verified it", async () => {
    const idToken = async () => decodeJwt((await withPassword()).answer.AuthenticationResult.IdToken);
    expect(await idToken()).not.toHaveProperty("email_verified");
    update(`attributes = '{"email":"ana@example.com"}'`);
    expect(await idToken()).toMatchObject({ email: "ana@example.com", email_verified: false });
  });
});

describe("a sign-in with a proof", () => {
  const challenge = async (AuthFlow = "USER_SRP_AUTH", USERNAME = PHONE): Promise<Challenge> =>
    (await start(AuthFlow, { USERNAME, SRP_A: CLIENT_NUMBER })).answer;
  const prove = async ({ ChallengeName, ChallengeParameters }: Challenge, more: Parameters = {}) => {
    const user = ChallengeParameters["USER_ID_FOR_SRP"] ?? "";
    const login = { pool: "Jornada1", user, password: more["PASSWORD"] ?? PASSWORD };
    const proof = await signProof(ChallengeParameters, login, formatTimestamp(at.clock.now));
    return respond({ ChallengeName }, { ...proof, ...more });
  };

  it("works once, for the account that it names", async () => {
    const asked = await challenge();
    expect(asked).toEqual({
      ChallengeName: "PASSWORD_VERIFIER",
      ChallengeParameters: {
        USERNAME: OWNER,
        USER_ID_FOR_SRP: OWNER,
        SALT: "5a17",
        SRP_B: expect.stringMatching(/^[0-9a-f]{700,768}$/),
        SECRET_BLOCK: expect.any(String),
      },
    });
    expect(await prove(asked, { USERNAME: OTHER_PHONE })).toEqual(WRONG);
    expect(await prove(asked)).toEqual(SIGNED_IN);
    expect(await prove(asked)).toEqual(WRONG);
  });

  it("makes one session, though it is sent twice at the same time", async () => {
    const asked = await challenge();
    const both = await Promise.all([prove(asked), prove(asked)]);
    expect(both.filter((answer) => "AuthenticationResult" in answer)).toHaveLength(1);
    expect(at.rows(`SELECT user_id FROM pool_sessions`)).toEqual([{ user_id: OWNER }]);
  });

  it("works once also where a second factor follows", async () => {
    update(`sms_mfa = 1`);
    const asked = await challenge();
    expect(await prove(asked)).toMatchObject({ ChallengeName: "SMS_MFA" });
    expect(await prove(asked)).toEqual(WRONG);
    expect(at.texts).toHaveLength(1);
  });

  it("is refused while the account is locked, though it began before, and noted", async () => {
    const asked = await challenge();
    let said: { __type?: string; message?: string } = WRONG;
    while (said.message === WRONG.message)
      said = (await withPassword({ PASSWORD: "Wrong-1-password" })).answer;
    at.note.mockClear();
    expect(await prove(asked)).toEqual(refusal("Password attempts exceeded"));
    expect(at.noted()).toEqual(["sign_in_refused"]);
    expect(at.rows(`SELECT user_id FROM pool_sessions`)).toEqual([]);
  });

  it("is counted and noted where it is wrong, of a number that nobody has as well", async () => {
    for (const phone of [PHONE, OTHER_PHONE]) {
      at.note.mockClear();
      const asked = await challenge("USER_SRP_AUTH", phone);
      expect(await prove(asked, { USERNAME: phone, PASSWORD: "Wrong-1-password" })).toEqual(WRONG);
      expect(at.noted()).toEqual(["sign_in_failed"]);
    }
    expect(at.rows(`SELECT failures FROM pool_attempts`)).toEqual([{ failures: 1 }, { failures: 1 }]);
  });

  it("looks at the account again when the proof comes", async () => {
    const asked = await challenge();
    update(`status = 'UNCONFIRMED'`);
    expect(await prove(asked)).toEqual(UNCONFIRMED);
    update(`status = 'CONFIRMED', enabled = 0`);
    expect(await prove(asked)).toEqual(DISABLED);
    update(`enabled = 1`);
    expect(await prove(asked, { DEVICE_KEY: "local_0f8fad5b" })).toEqual(NO_DEVICE);
    expect(await prove(asked)).toEqual(SIGNED_IN);
  });

  it("is of the password of now: one that was begun before a change opens nothing", async () => {
    const asked = await challenge();
    const { AccessToken } = (await withPassword()).answer.AuthenticationResult;
    const change = { AccessToken, PreviousPassword: PASSWORD, ProposedPassword: OTHER_PASSWORD };
    expect((await at.call("ChangePassword", change)).type).toBe("done");
    expect(await prove(asked)).toEqual(WRONG);
    expect(at.rows(`SELECT user_id FROM pool_sessions`)).toHaveLength(1);
    expect(await prove(await challenge(), { PASSWORD: OTHER_PASSWORD })).toEqual(SIGNED_IN);
  });

  it("goes on with a texted code where both are wanted, which is a second factor, too", async () => {
    update(`sms_mfa = 1`);
    const next = await prove(await challenge("CUSTOM_AUTH"));
    expect(next).toMatchObject({ ChallengeName: "CUSTOM_CHALLENGE" });
    expect(await respond(next, { ANSWER: at.code() })).toEqual(SIGNED_IN);
    expect(at.texts).toHaveLength(1);
  });

  it("is the only way to a proof: devices have none", async () => {
    for (const ChallengeName of ["DEVICE_SRP_AUTH", "DEVICE_PASSWORD_VERIFIER"])
      expect(await respond({ ChallengeName }, {})).toEqual(NO_SESSION);
  });
});

describe("a sign-in with a texted code", () => {
  it("opens no account with a second factor, of which the code would be the first", async () => {
    update(`sms_mfa = 1`);
    expect(await respond(await withCode(), { ANSWER: at.code() })).toEqual(WRONG);
    expect(at.rows(`SELECT user_id FROM pool_sessions`)).toEqual([]);
  });

  it("lifts the short lock of passwords, and keeps what strangers guessed", async () => {
    await withPassword({ PASSWORD: "Wrong-1-password" });
    expect(await respond(await withCode(), { ANSWER: at.code() })).toEqual(SIGNED_IN);
    expect(at.rows(`SELECT failures FROM pool_attempts`)).toEqual([]);
    expect(at.rows(`SELECT wrong FROM guesses`)).toEqual([{ wrong: 1 }]);
  });

  it("counts no guess where there is no code to guess at", async () => {
    const asked = await withCode();
    at.run(`DELETE FROM pool_codes`);
    expect(await respond(asked, { ANSWER: "123456" })).toEqual(WRONG);
    expect([at.noted(), at.rows(`SELECT wrong FROM guesses`)]).toEqual([[], [{ wrong: 0 }]]);
  });

  it("takes a number that nobody has for one by its made-up id, too", async () => {
    const asked = await withCode(OTHER_PHONE);
    const USERNAME = asked.ChallengeParameters["USERNAME"] ?? "";
    expect(await respond(asked, { USERNAME, ANSWER: "123456" })).toEqual(WRONG);
  });

  it("begins as often for a number that nobody has as for any other", async () => {
    const begin = async (phone: string) => Object(await withCode(phone)).__type ?? "asked";
    const begun: string[][] = [];
    for (let times = 0; times < 5; times += 1) {
      begun.push([await begin(PHONE), await begin(OTHER_PHONE)]);
      at.clock.now += 10 * MINUTE_MS;
    }
    const asked = ["asked", "asked"];
    const refused = ["TooManyRequestsException", "TooManyRequestsException"];
    expect(begun).toEqual([asked, asked, asked, asked, refused]);
  });
});

describe("the step after the password", () => {
  const next = async (change: string): Promise<Challenge> => {
    update(change);
    return (await withPassword()).answer;
  };

  it("is over where its code is, or its account", async () => {
    const sms = await next(`sms_mfa = 1`);
    at.run(`DELETE FROM pool_codes`);
    expect(await respond(sms, { SMS_MFA_CODE: "123456" })).toMatchObject({ __type: "ExpiredCodeException" });
    const choice = await next(`software_token_mfa = 1, totp_secret = 'v1.gone.a.b'`);
    expect(choice.ChallengeName).toBe("SELECT_MFA_TYPE");
    const renewal = await next(`status = 'FORCE_CHANGE_PASSWORD'`);
    at.run(`DELETE FROM pool_users`);
    const USERNAME = OWNER;
    expect(await respond(sms, { USERNAME, SMS_MFA_CODE: "123456" })).toEqual(NO_SESSION);
    expect(await respond(choice, { USERNAME, ANSWER: "SMS_MFA" })).toEqual(NO_SESSION);
    expect(await respond(renewal, { USERNAME, NEW_PASSWORD: "Other-2-password" })).toEqual(NO_SESSION);
  });

  it("ends with the password that was right before it", async () => {
    const signedIn = (await withPassword()).answer.AuthenticationResult;
    const sms = await next(`sms_mfa = 1`);
    const { AccessToken } = signedIn;
    const change = { AccessToken, PreviousPassword: PASSWORD, ProposedPassword: OTHER_PASSWORD };
    expect((await at.call("ChangePassword", change)).type).toBe("done");
    expect(await respond(sms, { SMS_MFA_CODE: at.code() })).toEqual(NO_SESSION);
    expect(at.rows(`SELECT user_id FROM pool_sessions`)).toHaveLength(1);
  });

  it("sets one new password where two pages send one", async () => {
    const one = await next(`status = 'FORCE_CHANGE_PASSWORD'`);
    const other = (await withPassword()).answer;
    expect(await respond(one, { NEW_PASSWORD: OTHER_PASSWORD })).toEqual(SIGNED_IN);
    expect(await respond(other, { NEW_PASSWORD: "Third-3-password" })).toEqual(NO_SESSION);
  });

  it("can't be an authenticator whose secret nobody can open", async () => {
    const asked = await next(`software_token_mfa = 1, totp_secret = 'v1.gone.a.b'`);
    expect(asked.ChallengeName).toBe("SOFTWARE_TOKEN_MFA");
    expect(await respond(asked, { SOFTWARE_TOKEN_MFA_CODE: "123456" })).toEqual(NO_SESSION);
  });

  it("is a new password before a second factor, and its attributes stand in the id token", async () => {
    const renewal = await next(
      `status = 'FORCE_CHANGE_PASSWORD', sms_mfa = 1, attributes = '{"name":"Ana"}'`,
    );
    const given = { NEW_PASSWORD: "Other-2-password", "userAttributes.locale": "pt" };
    const sms = await respond(renewal, given);
    expect(sms).toMatchObject({ ChallengeName: "SMS_MFA" });
    expect(await respond(sms, { SMS_MFA_CODE: at.code() })).toEqual(SIGNED_IN);
    update(`status = 'FORCE_CHANGE_PASSWORD', sms_mfa = 0, attributes = '{"name":"Ana"}'`);
    const again = (await start("USER_PASSWORD_AUTH", { PASSWORD: "Other-2-password" })).answer;
    const { AuthenticationResult } = await respond(again, { ...given, NEW_PASSWORD: "Third-3-password" });
    expect(decodeJwt(AuthenticationResult.IdToken)).toMatchObject({ name: "Ana", locale: "pt" });
  });
});

describe("a session", () => {
  it("begins with no password that was set anew in the instant before", async () => {
    const seen = await findPoolUser(at.context.db, OWNER);
    if (!seen) throw new Error("no account");
    update(`password = 'v1.test.set.anew'`);
    await expect(issueSession(at.context, seen, { isOfPassword: true })).rejects.toThrow(WRONG.message);
    expect(at.rows(`SELECT user_id FROM pool_sessions`)).toEqual([]);
    // A code or a key proves as much as before.
    expect(await issueSession(at.context, seen)).toHaveProperty("AccessToken");
  });

  it.each(["REFRESH_TOKEN_AUTH", "REFRESH_TOKEN"])("goes on by its refresh token: %s", async (flow) => {
    const { RefreshToken } = (await withPassword()).answer.AuthenticationResult;
    expect((await start(flow, { REFRESH_TOKEN: RefreshToken })).answer).toEqual(SIGNED_IN);
  });

  it("is revoked by a refresh token alone; what is no token at all is none of the pool's", async () => {
    const { AccessToken } = (await withPassword()).answer.AuthenticationResult;
    const revoke = async (Token: string) => (await at.call("RevokeToken", { Token })).type;
    expect([
      await revoke(AccessToken),
      await revoke(`x${AccessToken}`),
      await revoke(`${AccessToken}.`),
    ]).toEqual(["UnsupportedTokenTypeException", "done", "done"]);
  });

  it.each(["ConfirmDevice", "UpdateDeviceStatus", "GetDevice", "ListDevices", "ForgetDevice"])(
    "has no devices: %s",
    async (operation) => {
      const { AccessToken } = (await withPassword()).answer.AuthenticationResult;
      expect((await at.call(operation, { AccessToken })).type).toBe("InvalidUserPoolConfigurationException");
      expect((await at.call(operation, { AccessToken: "forged" })).answer.message).toBe(
        "Invalid Access Token",
      );
    },
  );
});
