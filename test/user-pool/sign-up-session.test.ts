import { beforeEach, describe, expect, it } from "vitest";
import { NOW, openPool, OTHER, PASSWORD, PHONE, type Pool } from "./pool-harness.ts";

const SECRET = "abcdefghij-_0123456789";
const HOME = { "cf-connecting-ip": "203.0.113.7" };
const AWAY = { "cf-connecting-ip": "198.51.100.9" };

let at: Pool;
beforeEach(() => {
  at = openPool();
});

/** Registers a number and enters its code, with a page's secret or without. */
async function register(secret: string | null = SECRET, from = HOME): Promise<unknown> {
  const named = secret === null ? {} : { ClientMetadata: { registration: secret } };
  await at.call("SignUp", { Username: PHONE, Password: PASSWORD, ...named }, HOME);
  const code = { Username: PHONE, ConfirmationCode: at.code(), ...named };
  return (await at.call("ConfirmSignUp", code, from)).answer["Session"];
}

async function signIn(Session: unknown, USERNAME = PHONE): Promise<string> {
  const { type, answer } = await at.call("InitiateAuth", {
    AuthFlow: "USER_AUTH",
    AuthParameters: { USERNAME },
    Session,
  });
  if (type === "done") return Object.keys(Object(answer["AuthenticationResult"])).toSorted().join(" ");
  return `${type}: ${answer["message"]}`;
}

const TOKENS = "AccessToken ExpiresIn IdToken RefreshToken TokenType";
const INVALID = "NotAuthorizedException: Invalid session for the user.";
const USED = "NotAuthorizedException: Invalid session for the user, session can only be used once.";

describe("the session of a confirmed number", () => {
  it("signs in without another proof of the password, once", async () => {
    const session = await register();
    expect(await signIn(session)).toBe(TOKENS);
    expect(await signIn(session)).toBe(USED);
    expect(at.rows(`SELECT origin_jti FROM pool_sessions`)).toHaveLength(1);
    expect(at.noted()).toEqual(["registered", "sign_in"]);
  });

  it("signs in one of two at once", async () => {
    const session = await register();
    expect((await Promise.all([signIn(session), signIn(session)])).toSorted()).toEqual([TOKENS, USED]);
  });

  it("is given to the page that registered, wherever its phone is by now", async () => {
    expect(await signIn(await register(SECRET, AWAY))).toBe(TOKENS);
  });

  it.each([
    ["no secret", null],
    ["what is no secret", "short"],
  ])("is given to nobody with %s", async (_name, secret) => {
    expect(await register(secret)).toBeUndefined();
  });

  it("is given to nobody who registered on the same network with another secret", async () => {
    await at.call("SignUp", {
      Username: PHONE,
      Password: PASSWORD,
      ClientMetadata: { registration: SECRET },
    });
    const ClientMetadata = { registration: `x${SECRET.slice(1)}` };
    const code = { Username: PHONE, ConfirmationCode: at.code(), ClientMetadata };
    expect((await at.call("ConfirmSignUp", code)).answer).toEqual({});
  });

  it("is not given, nor is a neighbor's password taken, where neighbors registered so often that the page's is gone", async () => {
    const neighbor = "Neighbors-1-password";
    const signUp = (registration: string, Password: string) =>
      at.call("SignUp", { Username: PHONE, Password, ClientMetadata: { registration } }, HOME);
    await signUp(SECRET, PASSWORD);
    for (let count = 0; count < 40; count += 1) {
      at.clock.now += 1;
      await signUp(SECRET.replace("ab", String(10 + count)), neighbor);
    }
    const confirm = {
      Username: PHONE,
      ConfirmationCode: at.code(),
      ClientMetadata: { registration: SECRET },
    };
    expect((await at.call("ConfirmSignUp", confirm, HOME)).answer).toEqual({});
    const AuthParameters = { USERNAME: PHONE, PASSWORD: neighbor };
    const { type } = await at.call("InitiateAuth", { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters });
    expect(type).toBe("PasswordResetRequiredException");
  });

  it("is good for three minutes, for its own account, and as nothing else", async () => {
    const session = await register();
    expect(await signIn(session, "+15550100999")).toBe(INVALID);
    expect(await signIn(session, OTHER)).toBe(INVALID);
    expect(await signIn("forged")).toBe(INVALID);
    const asChallenge = await at.call("RespondToAuthChallenge", {
      ChallengeName: "CUSTOM_CHALLENGE",
      ChallengeResponses: { USERNAME: PHONE, ANSWER: "123456" },
      Session: session,
    });
    expect(asChallenge.answer["message"]).toBe("Invalid session for the user.");
    at.clock.now = NOW + 180_000;
    expect(await signIn(session)).toBe(
      "NotAuthorizedException: Invalid session for the user, session is expired.",
    );
  });

  it("is good by the account's id, too, and not for one that was disabled or deleted", async () => {
    const session = await register();
    const [user] = at.rows(`SELECT id FROM pool_users`);
    at.run(`UPDATE pool_users SET enabled = 0`);
    expect(await signIn(session)).toBe("NotAuthorizedException: User is disabled.");
    at.run(`UPDATE pool_users SET enabled = 1`);
    expect(await signIn(session, String(user?.["id"]))).toBe(TOKENS);
    at.run(`DELETE FROM pool_users`);
    expect(await signIn(session)).toBe(INVALID);
  });

  it("ends with the password that it stands for", async () => {
    const session = await register();
    await at.call("ForgotPassword", { Username: PHONE });
    const reset = { Username: PHONE, ConfirmationCode: at.code(), Password: "Quite-another-1" };
    expect((await at.call("ConfirmForgotPassword", reset)).status).toBe(200);
    expect(await signIn(session)).toBe(INVALID);
    expect(at.rows(`SELECT origin_jti FROM pool_sessions`)).toEqual([]);
  });

  it("is not given by another challenge's session", async () => {
    await register();
    const { answer } = await at.call("InitiateAuth", {
      AuthFlow: "CUSTOM_AUTH",
      AuthParameters: { USERNAME: PHONE },
    });
    expect(await signIn(answer["Session"])).toBe(INVALID);
  });
});
