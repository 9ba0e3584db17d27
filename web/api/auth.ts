import type * as Library from "amazon-cognito-identity-js";
import type { PublicConfig } from "../../worker/contract/status.ts";
import { AuthError, FAILED, refusal, toAuthError } from "./auth-error.ts";
import { readDeployment } from "./client.ts";
import { callIdentity } from "./identity-call.ts";
import { currentToken, endSession, readSession, startSession } from "./session.ts";

type Desk = { library: typeof Library; pool: Library.CognitoUserPool; identity: PublicConfig["identity"] };
type Step = keyof typeof FAILED;
type Settle = (error?: unknown) => void;

/** Asks for the library before it is needed: it is no part of the page's first load. */
export function prepareAuth(): void {
  openDesk().catch(() => undefined);
}

/**
 * Signs in by SRP: the password itself never leaves the page.
 * @throws {AuthError} `UserNotConfirmedException` where the number was not confirmed yet
 */
export async function signIn(phone: string, password: string): Promise<void> {
  const desk = await openDesk();
  const { AuthenticationDetails } = desk.library;
  const details = new AuthenticationDetails({ Username: phone, Password: password });
  await settle("signIn", (done) => {
    const needsSecondFactor = () => done(refusal("MfaRequired"));
    const callbacks: Library.IAuthenticationCallback = {
      onSuccess: () => done(),
      onFailure: done,
      newPasswordRequired: () => done(refusal("NewPasswordRequired")),
      mfaRequired: needsSecondFactor,
      totpRequired: needsSecondFactor,
      mfaSetup: needsSecondFactor,
      selectMFAType: needsSecondFactor,
      customChallenge: needsSecondFactor,
    };
    userOf(desk, phone).authenticateUser(details, callbacks);
  });
  startSession(desk.identity, Date.now());
}

/** Registers. @returns whether the number still has to be confirmed by a code */
export async function signUp({
  name,
  phone,
  password,
}: {
  name: string;
  phone: string;
  password: string;
}): Promise<{ needsCode: boolean }> {
  const desk = await openDesk();
  const { CognitoUserAttribute } = desk.library;
  const attributes = [
    new CognitoUserAttribute({ Name: "phone_number", Value: phone }),
    new CognitoUserAttribute({ Name: "name", Value: name }),
  ];
  let needsCode = true;
  await settle("signUp", (done) =>
    desk.pool.signUp(phone, password, attributes, [], (error, result) => {
      if (result) needsCode = !result.userConfirmed;
      // Of an empty answer the library makes a result that names nobody.
      done(error ?? (result?.userSub ? undefined : refusal("SignUpWithoutResult")));
    }),
  );
  return { needsCode };
}

/** Confirms a number by its code; an alias that another account held goes over to this one. */
export async function confirm(phone: string, code: string): Promise<void> {
  const desk = await openDesk();
  await settle("confirm", (done) => userOf(desk, phone).confirmRegistration(code, true, done));
}

export async function resend(phone: string): Promise<void> {
  const desk = await openDesk();
  await settle("resend", (done) => userOf(desk, phone).resendConfirmationCode(done));
}

/** Sends a code with which `resetPassword` sets a new password. */
export async function forgotPassword(phone: string): Promise<void> {
  const desk = await openDesk();
  await settle("forgot", (done) =>
    userOf(desk, phone).forgotPassword({ onSuccess: () => done(), onFailure: done }),
  );
}

export async function resetPassword({
  phone,
  code,
  password,
}: {
  phone: string;
  code: string;
  password: string;
}): Promise<void> {
  const desk = await openDesk();
  await settle("reset", (done) =>
    userOf(desk, phone).confirmPassword(code, password, { onSuccess: () => done(), onFailure: done }),
  );
}

/** @throws {AuthError} `NotAuthenticated` where nobody is signed in, `NoRefreshToken` or `SessionEnded` where one no longer is */
export async function changePassword(present: string, next: string): Promise<void> {
  const desk = await openDesk();
  const user = await signedInUser(desk);
  try {
    await settle("change", (done) => user.changePassword(present, next, done));
  } catch (error) {
    // A wrong password and a session that was ended elsewhere are refused alike; only the latter can't be renewed.
    const isRefused = error instanceof AuthError && error.code === "NotAuthorizedException";
    if (isRefused) await currentToken(desk.identity, { now: Date.now(), force: true });
    throw error;
  }
}

/**
 * Signs out on this device. It is forgotten here even where the provider can't be told.
 * @throws {AuthError} where the refresh token could not be revoked
 */
export async function signOutHere(): Promise<void> {
  const { identity } = await readDeployment();
  const refreshToken = readSession(identity.clientId)?.refreshToken;
  endSession(identity);
  if (!refreshToken) return;
  const order = { Token: refreshToken, ClientId: identity.clientId };
  const { ok } = await callIdentity(identity, "RevokeToken", order);
  if (!ok) throw new AuthError("Unknown", FAILED.signOut);
}

/** Ends every session of the account, this one included. */
export async function signOutEverywhere(): Promise<void> {
  const desk = await openDesk();
  const user = await signedInUser(desk);
  await settle("signOut", (done) => user.globalSignOut({ onSuccess: () => done(), onFailure: done }));
  endSession(desk.identity);
}

/** Deletes the account at the identity provider, and with it every session. */
export async function deleteAccount(): Promise<void> {
  const desk = await openDesk();
  const user = await signedInUser(desk);
  await settle("remove", (done) => user.deleteUser(done));
  endSession(desk.identity);
}

async function openDesk(): Promise<Desk> {
  try {
    const [{ identity }, library] = await Promise.all([
      readDeployment(),
      import("amazon-cognito-identity-js"),
    ]);
    const { endpoint, poolId, clientId } = identity;
    const pool = new library.CognitoUserPool({
      UserPoolId: poolId,
      ClientId: clientId,
      endpoint: new URL(endpoint, location.origin).href,
    });
    return { library, pool, identity };
  } catch {
    throw refusal("NetworkError");
  }
}

function userOf({ library, pool }: Desk, phone: string): Library.CognitoUser {
  return new library.CognitoUser({ Username: phone, Pool: pool });
}

/** The user with a session that is good now; renewed by the page's own renewal, which asks once for many. */
async function signedInUser({ pool, identity }: Desk): Promise<Library.CognitoUser> {
  if (!(await currentToken(identity, { now: Date.now() }))) throw refusal("NotAuthenticated");
  const user = pool.getCurrentUser();
  if (!user) throw refusal("UsernameMissing");
  await settle("renew", (done) => user.getSession((error: Error | null) => done(error ?? undefined)));
  return user;
}

/** One call of the library as a promise. */
function settle(step: Step, start: (done: Settle) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => {
      if (error) reject(toAuthError(error, FAILED[step]));
      else resolve();
    });
  });
}
