import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AuthError } from "../../../web/api/session/auth-error.ts";
import {
  changePassword,
  submitSignUpCode,
  deleteCognitoUser,
  requestPasswordReset,
  requestNewSignUpCode,
  resetPassword,
  signIn,
  signInAgain,
  signInWithSession,
  signOutEverywhere,
  signOut,
  signUp,
} from "../../../web/api/session/auth.ts";
import { sessionEndStore, sessionStore } from "../../../web/api/session/session.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import {
  errorReply,
  SRP_CHALLENGE,
  SUB,
  token,
  tokenResponse,
  type Reply,
} from "../../support/scripted-network.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

// The library is the real one; the network says what each test tells it to.
let harness: ReturnType<typeof createBrowserHarness>;
beforeEach(() => {
  harness = createBrowserHarness();
  sessionStore.setState(() => undefined);
});

const PHONE = "+15550100144";
const PASSWORD = "Jornada-1-test";
const NEW = "Another-2-password";

async function failureOf(step: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await step.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AuthError)) throw new Error("it did not fail with an AuthError", { cause: error });
  return { code: error.code, message: error.message };
}

const STEPS = {
  InitiateAuth: () => signIn(PHONE, PASSWORD),
  SignUp: () => signUp({ name: "Ana", phone: PHONE, password: PASSWORD, language: "es" }),
  ConfirmSignUp: () => submitSignUpCode(PHONE, "123456"),
  ResendConfirmationCode: () => requestNewSignUpCode(PHONE, { language: "es" }),
  ForgotPassword: () => requestPasswordReset(PHONE, { language: "es" }),
  ConfirmForgotPassword: () => resetPassword({ phone: PHONE, code: "123456", password: NEW }),
  ChangePassword: () => changePassword(PASSWORD, NEW),
  GlobalSignOut: () => signOutEverywhere(async () => {}),
  DeleteUser: () => deleteCognitoUser(),
};
const OPERATIONS = Object.keys(STEPS) as (keyof typeof STEPS)[];

it.each([
  ["InitiateAuth", "Login failed"],
  ["SignUp", "Registration failed"],
  ["ConfirmSignUp", "Confirmation failed"],
  ["ResendConfirmationCode", "Resend failed"],
  ["ForgotPassword", "Failed to send reset code. Please try again."],
  ["ConfirmForgotPassword", "Failed to reset password. Please try again."],
  ["ChangePassword", "Failed to change password. Please try again."],
  ["GlobalSignOut", "Logout failed"],
  ["DeleteUser", "Failed to delete the account. Please try again."],
] as const)("says of %s, which failed without a word: %s", async (operation, message) => {
  harness.signIn();
  harness.answer({ [operation]: { status: 500, body: "a proxy's page" } });
  expect(await failureOf(STEPS[operation]())).toEqual({ code: "Unknown", message });
});

it.each(OPERATIONS)("calls a lost connection at %s a network error", async (operation) => {
  harness.signIn();
  harness.answer({ [operation]: "lost" });
  expect(await failureOf(STEPS[operation]())).toEqual({ code: "NetworkError", message: "Network error" });
});

const NETWORK_ERROR = { code: "NetworkError", message: "Network error" };

it("calls a sign-in whose answer is cut off a network error, at each of its steps", async () => {
  harness.answer({ InitiateAuth: "cut" });
  expect(await failureOf(STEPS.InitiateAuth())).toEqual(NETWORK_ERROR);
  harness.answer({ InitiateAuth: SRP_CHALLENGE, RespondToAuthChallenge: "cut" });
  expect(await failureOf(STEPS.InitiateAuth())).toEqual(NETWORK_ERROR);
  harness.answer({ RespondToAuthChallenge: { status: 500, body: "a proxy's page" } });
  expect(await failureOf(STEPS.InitiateAuth())).toEqual({ code: "Unknown", message: "Login failed" });
  expect(sessionStore.get()).toBeUndefined();
});

it.each([
  "ResendConfirmationCode",
  "ForgotPassword",
  "ConfirmForgotPassword",
  "ChangePassword",
  "GlobalSignOut",
  "DeleteUser",
] as const)("takes %s for done where the answer that says so is cut off", async (operation) => {
  harness.signIn();
  harness.answer({ [operation]: "cut" });
  await STEPS[operation]();
  expect(harness.count(operation)).toBe(1);
});

// The one that the page makes without the library has a limit of its own.
const BY_LIBRARY = OPERATIONS.filter((operation) => operation !== "ConfirmSignUp");

it.each(BY_LIBRARY)("calls a network that swallows %s a network error, in the end", async (operation) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  harness.signIn();
  harness.answer({ [operation]: { body: {}, after: new Promise<void>(() => {}) } });
  const failure = failureOf(STEPS[operation]());
  await vi.waitFor(() => expect(harness.count(operation)).toBe(1));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await failure).toEqual({ code: "NetworkError", message: "Network error" });
});

it.each(OPERATIONS)("hands on the provider's type and message at %s", async (operation) => {
  harness.signIn();
  harness.answer({ [operation]: errorReply("LimitExceededException", "Attempt limit exceeded.") });
  expect(await failureOf(STEPS[operation]())).toEqual({
    code: "LimitExceededException",
    message: "Attempt limit exceeded.",
  });
});

const challenge = (ChallengeName: string, parameters: Record<string, string> = {}): Reply => ({
  body: { ChallengeName, Session: "session", ChallengeParameters: { USER_ID_FOR_SRP: SUB, ...parameters } },
});

it.each([
  [
    challenge("NEW_PASSWORD_REQUIRED", { requiredAttributes: "[]", userAttributes: "{}" }),
    "New password required. This flow is not implemented yet.",
  ],
  [challenge("SMS_MFA"), "MFA required. This flow is not implemented yet."],
  [challenge("SOFTWARE_TOKEN_MFA"), "MFA required. This flow is not implemented yet."],
  [
    challenge("SELECT_MFA_TYPE", { MFAS_CAN_CHOOSE: '["SMS_MFA","SOFTWARE_TOKEN_MFA"]' }),
    "MFA required. This flow is not implemented yet.",
  ],
  [
    challenge("MFA_SETUP", { MFAS_CAN_SETUP: '["SOFTWARE_TOKEN_MFA"]' }),
    "MFA required. This flow is not implemented yet.",
  ],
])("ends a sign-in that asks for more", async (asked, message) => {
  harness.answer({ InitiateAuth: SRP_CHALLENGE, RespondToAuthChallenge: asked });
  expect((await failureOf(signIn(PHONE, PASSWORD))).message).toBe(message);
  expect(sessionStore.get()).toBeUndefined();
});

it("knows who has signed in by the token, and by nothing else", async () => {
  const { AuthenticationResult } = tokenResponse().body;
  const body = { AuthenticationResult: { ...AuthenticationResult, RefreshToken: "refresh" } };
  harness.answer({ InitiateAuth: SRP_CHALLENGE, RespondToAuthChallenge: { body } });
  await signIn(PHONE, PASSWORD);
  expect(harness.calls.map(({ operation }) => operation)).toEqual(["InitiateAuth", "RespondToAuthChallenge"]);
  expect(JSON.stringify(harness.calls)).not.toContain(PASSWORD);
  expect(sessionStore.get()).toEqual({
    username: SUB,
    phoneNumber: PHONE,
    phoneNumberVerified: true,
    accessToken: AuthenticationResult["AccessToken"],
    idToken: AuthenticationResult["IdToken"],
    idTokenExp: expect.any(Number),
    refreshToken: "refresh",
  });
});

it("learns by a step that isn't a try when a locked account can sign in again", async () => {
  const locked = {
    ...Object(errorReply("NotAuthorizedException", "Password attempts exceeded")),
    headers: { "retry-after": "3600" },
  };
  harness.answer({ InitiateAuth: locked });
  const failure = await signIn(PHONE, PASSWORD).catch((error: unknown) => error);
  if (!(failure instanceof AuthError))
    throw new Error("it did not fail with an AuthError", { cause: failure });
  expect((failure.retryAt ?? 0) - Date.now()).toBeGreaterThan(3_590_000);
  expect(harness.calls.map(({ body }) => body["AuthFlow"])).toEqual(["USER_SRP_AUTH", "USER_SRP_AUTH"]);
});

it("does not take an empty answer for a registration", async () => {
  harness.answer({ SignUp: { body: {} } });
  expect(await failureOf(STEPS.SignUp())).toEqual({
    code: "SignUpWithoutResult",
    message: "Sign up failed - no result returned",
  });
});

it("registers with name and number, and says whether a code is awaited", async () => {
  harness.answer({ SignUp: { body: { UserConfirmed: false, UserSub: SUB } } });
  expect(await STEPS.SignUp()).toEqual({ needsCode: true });
  expect(harness.calls[0]?.body).toMatchObject({
    Username: PHONE,
    UserAttributes: [
      { Name: "phone_number", Value: PHONE },
      { Name: "name", Value: "Ana" },
    ],
  });
  harness.answer({ SignUp: { body: { UserConfirmed: true, UserSub: SUB } } });
  expect(await STEPS.SignUp()).toEqual({ needsCode: false });
});

it("sends a secret along with a registration, and the same with its code", async () => {
  harness.answer({
    SignUp: { body: { UserConfirmed: false, UserSub: SUB } },
    ConfirmSignUp: { body: {} },
  });
  await STEPS.SignUp();
  await STEPS.ConfirmSignUp();
  const [registered, confirmed] = harness.calls.map(({ body }) => body["ClientMetadata"]);
  expect(registered).toEqual({ language: "es", registration: expect.stringMatching(/^(?:\d+-){15}\d+$/) });
  expect(registered).toEqual(expect.objectContaining(confirmed));
});

it("takes over a number that another account held when it confirms one", async () => {
  harness.answer({ ConfirmSignUp: { body: {} } });
  await STEPS.ConfirmSignUp();
  expect(harness.calls[0]?.body).toMatchObject({ ConfirmationCode: "123456", ForceAliasCreation: true });
});

const EXPIRED = { endsInMs: -1000 };

it.each(["ChangePassword", "GlobalSignOut", "DeleteUser"] as const)(
  "asks for a session before %s, and says which kind is missing",
  async (operation) => {
    expect((await failureOf(STEPS[operation]())).message).toBe("User is not authenticated");
    harness.signIn();
    sessionStore.setState(() => ({
      username: SUB,
      phoneNumber: PHONE,
      phoneNumberVerified: true,
      accessToken: token("access"),
      idToken: token("id"),
      idTokenExp: Date.now() + 3_600_000,
      refreshToken: null,
    }));
    harness.storage.clear();
    expect((await failureOf(STEPS[operation]())).message).toBe(
      "Username is null. Cannot retrieve a new session",
    );
    sessionStore.setState((session) => session && { ...session, idTokenExp: 0 });
    expect((await failureOf(STEPS[operation]())).message).toBe("No refresh token available");
    harness.signIn({ idToken: token("id", EXPIRED), accessToken: token("access", EXPIRED) });
    sessionStore.setState(() => undefined);
    harness.answer({ Refresh: errorReply("NotAuthorizedException", "Refresh Token has been revoked") });
    expect((await failureOf(STEPS[operation]())).message).toBe("Token refresh failed");
    expect(harness.calls.map((call) => call.operation)).toEqual(["Refresh"]);
  },
);

it("tells a wrong password from a session that was ended elsewhere", async () => {
  harness.signIn();
  harness.answer({
    ChangePassword: errorReply("NotAuthorizedException", "Incorrect username or password."),
    Refresh: tokenResponse(),
  });
  expect((await failureOf(STEPS.ChangePassword())).code).toBe("NotAuthorizedException");
  expect(sessionStore.get()?.username).toBe(SUB);
  harness.answer({ Refresh: errorReply("NotAuthorizedException", "Refresh Token has been revoked") });
  expect((await failureOf(STEPS.ChangePassword())).code).toBe("SessionEnded");
  expect(sessionStore.get()).toBeNull();
});

it("signs out here whatever the provider says, and says when it said nothing good", async () => {
  for (const [reply, message] of [
    [{ body: {} }, null],
    [{ status: 400, body: { __type: "UnsupportedOperationException" } }, "Logout failed"],
  ] as const) {
    harness.signIn();
    harness.answer({ RevokeToken: reply });
    const said = await signOut().then(
      () => null,
      (error: unknown) => (error instanceof AuthError ? error.message : "another"),
    );
    expect({ said, kept: Object.keys(harness.storage), session: sessionStore.get() }).toEqual({
      said: message,
      kept: [],
      session: null,
    });
  }
});

it.each(["GlobalSignOut", "DeleteUser"] as const)("leaves nothing behind after %s", async (operation) => {
  harness.signIn();
  harness.answer({ [operation]: { body: {} } });
  await STEPS[operation]();
  expect({ kept: Object.keys(harness.storage), session: sessionStore.get() }).toEqual({
    kept: [],
    session: null,
  });
});

it("names the language of the page for every code that is texted", async () => {
  const answer = { body: {} };
  harness.answer({
    SignUp: { body: { UserSub: "sub", UserConfirmed: false } },
    ResendConfirmationCode: answer,
    ForgotPassword: answer,
  });
  for (const step of ["SignUp", "ResendConfirmationCode", "ForgotPassword"] as const) await STEPS[step]();
  expect(harness.calls.map(({ body }) => body["ClientMetadata"])).toEqual(
    harness.calls.map(() => expect.objectContaining({ language: "es" })),
  );
});

it("proves the registration of a number with what it was registered with, whatever was registered since", async () => {
  const secretOf = (name: string, phone: string) =>
    harness.calls
      .filter(({ operation, body }) => operation === name && body["Username"] === phone)
      .map(({ body }) => Object(body["ClientMetadata"]).registration as unknown);
  const register = (phone: string) => signUp({ name: "Ana", phone, password: PASSWORD, language: "es" });
  const OTHER = "+15550100145";
  harness.answer({
    SignUp: [{ body: { UserConfirmed: false, UserSub: SUB } }, errorReply("LimitExceededException")],
    ConfirmSignUp: { body: {} },
  });
  await register(PHONE);
  await expect(register(OTHER)).rejects.toThrow();
  await expect(register(PHONE)).rejects.toThrow();
  await submitSignUpCode(PHONE, "123456");
  const [first, again] = secretOf("SignUp", PHONE);
  expect(first).toMatch(/^(?:\d+-){15}\d+$/);
  expect([again, secretOf("ConfirmSignUp", PHONE)]).toEqual([first, [first]]);
  expect(secretOf("SignUp", OTHER)).not.toEqual([first]);
});

it("signs in with the session of a confirmed number, which the provider may lack, and keeps it as any other", async () => {
  harness.answer({ ConfirmSignUp: { body: {} } });
  expect(await STEPS.ConfirmSignUp()).toBeNull();
  const { AuthenticationResult } = tokenResponse().body;
  const body = { AuthenticationResult: { ...AuthenticationResult, RefreshToken: "refresh" } };
  harness.answer({ ConfirmSignUp: { body: { Session: "confirmed" } }, InitiateAuth: { body } });
  expect(await STEPS.ConfirmSignUp()).toBe("confirmed");
  await signInWithSession(PHONE, "confirmed");
  expect(harness.calls.at(-1)?.body).toEqual({
    AuthFlow: "USER_AUTH",
    ClientId: expect.any(String),
    AuthParameters: { USERNAME: PHONE },
    Session: "confirmed",
  });
  expect(sessionStore.get()).toMatchObject({ username: SUB, refreshToken: "refresh" });
});

it("says why a session of a confirmed number isn't taken, with a namespace before the type or without", async () => {
  for (const type of ["NotAuthorizedException", "com.amazonaws.cognito#NotAuthorizedException"]) {
    harness.answer({ InitiateAuth: { status: 400, body: { __type: type, message: "Invalid session." } } });
    expect(await failureOf(signInWithSession(PHONE, "old"))).toEqual({
      code: "NotAuthorizedException",
      message: "Invalid session.",
    });
  }
});

const CHALLENGED = { language: "es", challenge: "solved" } as const;

it.each<[operation: string, step: () => Promise<unknown>, body: object]>([
  [
    "SignUp",
    () => signUp({ name: "Ana", phone: PHONE, password: PASSWORD, ...CHALLENGED }),
    { UserSub: SUB, UserConfirmed: false },
  ],
  ["ResendConfirmationCode", () => requestNewSignUpCode(PHONE, CHALLENGED), {}],
  ["ForgotPassword", () => requestPasswordReset(PHONE, CHALLENGED), {}],
])("sends with %s the token of a challenge", async (operation, step, body) => {
  harness.answer({ [operation]: { body } });
  await step();
  expect(harness.calls).toEqual([
    expect.objectContaining({
      operation,
      body: expect.objectContaining({
        Username: PHONE,
        ClientMetadata: expect.objectContaining({ language: "es", challenge: "solved" }),
      }),
    }),
  ]);
});

it("sends no token where there was no challenge", async () => {
  harness.answer({ SignUp: { body: { UserSub: SUB } }, ResendConfirmationCode: { body: {} } });
  for (const challengeToken of [undefined, null]) {
    const text = { language: "es", ...(challengeToken === null && { challenge: null }) } as const;
    await signUp({ name: "Ana", phone: PHONE, password: PASSWORD, ...text });
    await requestNewSignUpCode(PHONE, text);
  }
  for (const { body } of harness.calls) expect(body["ClientMetadata"]).not.toHaveProperty("challenge");
});

it("sets a new password by the code, and changes one by the other", async () => {
  harness.signIn();
  harness.answer({ ConfirmForgotPassword: { body: {} }, ChangePassword: { body: {} } });
  await STEPS.ConfirmForgotPassword();
  await STEPS.ChangePassword();
  expect(harness.calls.map(({ body }) => body)).toEqual([
    expect.objectContaining({ Username: PHONE, ConfirmationCode: "123456", Password: NEW }),
    expect.objectContaining({ PreviousPassword: PASSWORD, ProposedPassword: NEW }),
  ]);
});

/** Responses that sign the driver in, with a refresh token of the new session. */
function answerSignIn() {
  const { AuthenticationResult } = tokenResponse().body;
  const body = { AuthenticationResult: { ...AuthenticationResult, RefreshToken: "second" } };
  harness.answer({ InitiateAuth: SRP_CHALLENGE, RespondToAuthChallenge: { body } });
}

it.each<[what: string, reply: Reply]>([
  ["ends", { body: {} }],
  ["can't end", errorReply("UnsupportedOperationException")],
])("signs in again as the same driver, whose former session it %s", async (_what, reply) => {
  harness.signIn();
  answerSignIn();
  harness.answer({ RevokeToken: reply });
  await signInAgain(PASSWORD);
  expect(harness.calls[0]?.body["AuthParameters"]).toMatchObject({ USERNAME: SUB });
  expect(harness.calls.flatMap(({ body }) => body["Token"] ?? [])).toEqual(["refresh"]);
  expect(sessionStore.get()?.refreshToken).toBe("second");
});

it("signs nobody in again who isn't signed in, and ends no session by a wrong password", async () => {
  expect((await failureOf(signInAgain(PASSWORD))).code).toBe("NotAuthenticated");
  expect(harness.calls).toEqual([]);
  harness.signIn();
  harness.answer({
    InitiateAuth: SRP_CHALLENGE,
    RespondToAuthChallenge: errorReply("NotAuthorizedException", "Incorrect username or password."),
  });
  expect((await failureOf(signInAgain(PASSWORD))).code).toBe("NotAuthorizedException");
  expect(harness.count("RevokeToken")).toBe(0);
});

it("forgets how the former session ended once another begins", async () => {
  answerSignIn();
  sessionEndStore.setState(() => "revoked");
  await signIn(PHONE, PASSWORD);
  expect(sessionEndStore.get()).toBeNull();
});

const LOCKED = errorReply("NotAuthorizedException", "Password attempts exceeded");

it.each<[what: string, start: Reply]>([
  ["doesn't say so", LOCKED],
  ["refuses", errorReply("InvalidParameterException")],
])("knows of no end of a lock where the provider %s", async (_what, start) => {
  harness.answer({ InitiateAuth: [LOCKED, start] });
  const failure: unknown = await signIn(PHONE, PASSWORD).catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: "Password attempts exceeded", retryAt: null });
});

it("leaves the screens that need a session before it has none", async () => {
  harness.signIn();
  harness.answer({ GlobalSignOut: { body: {} } });
  const held: unknown[] = [];
  await signOutEverywhere(async () => void held.push(sessionStore.get()?.username));
  expect([held, sessionStore.get()]).toEqual([[SUB], null]);
});

it("forgets the proof of a number once its code was taken, and none after five others", async () => {
  const phones = Array.from({ length: 6 }, (_phone, index) => `+1555010014${index}`);
  harness.answer({ SignUp: { body: { UserSub: SUB } }, ConfirmSignUp: { body: {} } });
  for (const phone of phones) await signUp({ name: "Ana", phone, password: PASSWORD, language: "es" });
  const provesBy = async (phone = "") => {
    await submitSignUpCode(phone, "123456");
    return harness.calls.at(-1)?.body["ClientMetadata"] !== undefined;
  };
  expect([await provesBy(phones[0]), await provesBy(phones[1]), await provesBy(phones[1])]).toEqual([
    false,
    true,
    false,
  ]);
  for (const phone of phones.slice(2)) expect(await provesBy(phone)).toBe(true);
  expect(Object.keys(sessionStorage)).toEqual([]);
});
