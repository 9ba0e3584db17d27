import type * as Library from "amazon-cognito-identity-js";
import * as z from "zod/mini";
import type { DurationMs } from "../../../db/shapes/units.ts";
import { unchanged } from "../../../db/shapes/versioned.ts";
import type { PublicConfig } from "../../../worker/contract/status.ts";
import { AuthError, localAuthError } from "./auth-error.ts";
import type { Language } from "../../../db/shapes/language.ts";
import { fetchConfig } from "../client/client.ts";
import { cognitoRequest, cognitoRequestOnce } from "./cognito-request.ts";
import { DEFAULT_MESSAGES, isConfirmedAlready, toAuthError } from "./provider-error.ts";
import { createStored } from "../cache/storage.ts";
import {
  clearSession,
  currentToken,
  loadSession,
  makeSecret,
  restoreSession,
  saveSession,
  sessionEndStore,
} from "./session.ts";
import { tokenStorage } from "./token-storage.ts";
import { serverNow } from "../../early/server-clock.ts";

type CognitoClient = {
  library: typeof Library;
  pool: Library.CognitoUserPool;
  identity: PublicConfig["identity"];
};
type AuthOperation = keyof typeof DEFAULT_MESSAGES;
type AuthCallback = (error?: unknown) => void;

/** Loads the library ahead of its first use; it isn't part of the page's first load. */
export function preloadAuth(): void {
  loadCognitoClient().catch(() => undefined);
}

/**
 * Signs in by SRP: the password itself never leaves the page.
 * @throws {AuthError} `UserNotConfirmedException` if the number isn't confirmed yet
 */
export async function signIn(phone: string, password: string): Promise<void> {
  const cognito = await loadCognitoClient();
  const { AuthenticationDetails } = cognito.library;
  const details = new AuthenticationDetails({ Username: phone, Password: password });
  const attempt = callCognito("signIn", (done) => {
    const needsSecondFactor = () => done(localAuthError("MfaRequired"));
    const callbacks: Library.IAuthenticationCallback = {
      onSuccess: () => done(),
      onFailure: done,
      newPasswordRequired: () => done(localAuthError("NewPasswordRequired")),
      mfaRequired: needsSecondFactor,
      totpRequired: needsSecondFactor,
      mfaSetup: needsSecondFactor,
      selectMFAType: needsSecondFactor,
      customChallenge: needsSecondFactor,
    };
    cognitoUser(cognito, phone).authenticateUser(details, callbacks);
  });
  await attempt.catch(async (error: unknown) => {
    throw error instanceof AuthError && error.message === LOCKED_MESSAGE
      ? new AuthError(error.code, error.message, await fetchLockEnd(cognito.identity, phone))
      : error;
  });
  sessionEndStore.setState(() => null);
  restoreSession(cognito.identity, serverNow());
}

/** The provider's response while an account is locked, whatever the password. */
const LOCKED_MESSAGE = "Password attempts exceeded";

/**
 * When the lock of an account ends, in epoch ms; null if the provider doesn't say. The library drops the header that says so,
 * and the first step of a sign-in doesn't count as a try.
 */
async function fetchLockEnd(identity: CognitoClient["identity"], phone: string): Promise<number | null> {
  const start = {
    AuthFlow: "USER_SRP_AUTH",
    ClientId: identity.clientId,
    AuthParameters: { USERNAME: phone, SRP_A: "2" },
  };
  try {
    const { retryAfterSeconds } = await cognitoRequest(identity, "InitiateAuth", start);
    return retryAfterSeconds === null ? null : serverNow() + retryAfterSeconds * 1000;
  } catch {
    return null;
  }
}

/**
 * Signs in once more as the driver who is signed in, for what needs a recent sign-in. The session before it ends, so that
 * this device has one.
 * @throws {AuthError} `NotAuthenticated` if nobody is signed in
 */
export async function signInAgain(password: string): Promise<void> {
  const { identity } = await fetchConfig();
  const former = loadSession(identity.clientId);
  if (!former) throw localAuthError("NotAuthenticated");
  await signIn(former.username, password);
  // If it can't be ended now, the driver can end it in the list of sessions, or it expires.
  if (former.refreshToken) await revoke(identity, former.refreshToken).catch(() => undefined);
}

export const storedRegistration = {
  key: "jornada.registration",
  shape: z.array(z.object({ phone: z.string(), secret: z.string() })),
  upcasts: [unchanged, (stored: unknown) => [stored]],
};
/** The proof, for each number, that registering it and entering its code happen in this tab. */
const registrations = createStored({ area: () => sessionStorage, ...storedRegistration });
/** Numbers that somebody tries in one tab. */
const REGISTRATIONS_KEPT = 5;

const registrationSecret = (phone: string) =>
  registrations.load()?.find((known) => known.phone === phone)?.secret;

/** A number keeps its secret, since a failed call may have registered it. */
function ensureRegistrationSecret(phone: string): string {
  const secret = registrationSecret(phone) ?? makeSecret();
  const others = registrations.load()?.filter((known) => known.phone !== phone) ?? [];
  registrations.save([...others, { phone, secret }].slice(-REGISTRATIONS_KEPT));
  return secret;
}

function forgetRegistration(phone: string): void {
  const others = registrations.load()?.filter((known) => known.phone !== phone) ?? [];
  if (others.length > 0) registrations.save(others);
  else registrations.remove();
}

/** Registers an account. @returns whether the number must still be confirmed by a code */
export async function signUp({
  name,
  phone,
  password,
  language,
  challenge = null,
}: {
  name: string;
  phone: string;
  password: string;
  /** The language of the text with the code. */
  language: Language;
  /** The token of the challenge before registering, where there is one. */
  challenge?: string | null;
}): Promise<{ needsCode: boolean }> {
  const cognito = await loadCognitoClient();
  const { CognitoUserAttribute } = cognito.library;
  const attributes = [
    new CognitoUserAttribute({ Name: "phone_number", Value: phone }),
    new CognitoUserAttribute({ Name: "name", Value: name }),
  ];
  const secret = ensureRegistrationSecret(phone);
  let needsCode = true;
  await callCognito("signUp", (done) =>
    cognito.pool.signUp(
      phone,
      password,
      attributes,
      [],
      (error, result) => {
        if (result) needsCode = !result.userConfirmed;
        // For an empty response the library returns a result without a user.
        done(error ?? (result?.userSub ? undefined : localAuthError("SignUpWithoutResult")));
      },
      { language, registration: secret, ...(challenge === null ? {} : { challenge }) },
    ),
  );
  return { needsCode };
}

const confirmed = z.object({ Session: z.optional(z.string()) });

/**
 * Confirms a number by its code; if another account had it as an alias, this account takes it over.
 * @returns the session that signs in without another proof of the password, which the library would drop; null if the provider
 * gave none, or had confirmed the number before
 */
export async function submitSignUpCode(phone: string, code: string): Promise<string | null> {
  const identity = await loadIdentity();
  const secret = registrationSecret(phone);
  const { ok, body } = await cognitoRequestOnce(identity, "ConfirmSignUp", {
    ClientId: identity.clientId,
    Username: phone,
    ConfirmationCode: code,
    ForceAliasCreation: true,
    ...(secret === undefined ? {} : { ClientMetadata: { registration: secret } }),
  });
  if (!ok) {
    const refused = toRefusal(body, DEFAULT_MESSAGES.confirm);
    // The response to an earlier try was lost; the password shows whose number it is.
    if (!isConfirmedAlready(refused)) throw refused;
  }
  forgetRegistration(phone);
  return z.safeParse(confirmed, body).data?.Session ?? null;
}

const signedIn = z.object({
  AuthenticationResult: z.object({ IdToken: z.string(), AccessToken: z.string(), RefreshToken: z.string() }),
});

/**
 * Signs in with the session of a number that was just confirmed.
 * @throws {AuthError} if the provider no longer accepts it
 */
export async function signInWithSession(phone: string, session: string): Promise<void> {
  const identity = await loadIdentity();
  const { body } = await cognitoRequestOnce(identity, "InitiateAuth", {
    AuthFlow: "USER_AUTH",
    ClientId: identity.clientId,
    AuthParameters: { USERNAME: phone },
    Session: session,
  });
  const { data } = z.safeParse(signedIn, body);
  if (!data) throw toRefusal(body, DEFAULT_MESSAGES.signIn);
  sessionEndStore.setState(() => null);
  saveSession(identity, data.AuthenticationResult);
}

const refusal = z.object({ __type: z.string(), message: z.optional(z.string()) });

/** The provider's refusal; its types may carry the name of a namespace. */
function toRefusal(body: unknown, fallback: string): AuthError {
  const { data } = z.safeParse(refusal, body);
  return new AuthError(data?.__type.split("#").at(-1) ?? "Unknown", data?.message || fallback);
}

/** @throws {AuthError} `NetworkError` */
async function loadIdentity(): Promise<CognitoClient["identity"]> {
  try {
    return (await fetchConfig()).identity;
  } catch {
    throw localAuthError("NetworkError");
  }
}

/** The text with a code: its language, and the token of the challenge, where the server asked for one. */
export type CodeText = { language: Language; challenge?: string | null };

const toMetadata = ({ language, challenge = null }: CodeText) => ({
  language,
  ...(challenge === null ? {} : { challenge }),
});

export async function requestNewSignUpCode(phone: string, text: CodeText): Promise<void> {
  const cognito = await loadCognitoClient();
  await callCognito("resend", (done) =>
    cognitoUser(cognito, phone).resendConfirmationCode(done, toMetadata(text)),
  );
}

/** Sends a code with which `resetPassword` sets a new password. */
export async function requestPasswordReset(phone: string, text: CodeText): Promise<void> {
  const cognito = await loadCognitoClient();
  const callbacks = (done: AuthCallback) => ({ onSuccess: () => done(), onFailure: done });
  await callCognito("requestReset", (done) =>
    cognitoUser(cognito, phone).forgotPassword(callbacks(done), toMetadata(text)),
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
  const cognito = await loadCognitoClient();
  await callCognito("reset", (done) =>
    cognitoUser(cognito, phone).confirmPassword(code, password, { onSuccess: () => done(), onFailure: done }),
  );
}

/**
 * @throws {AuthError} `NotAuthenticated` if nobody is signed in, `NoRefreshToken` or `SessionEnded` if the session has
 * ended
 */
export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  const cognito = await loadCognitoClient();
  const user = await signedInUser(cognito);
  try {
    await callCognito("changePassword", (done) => user.changePassword(currentPassword, newPassword, done));
  } catch (error) {
    // A wrong password and a session that was ended elsewhere get the same error; only the latter can't be renewed.
    const isRefused = error instanceof AuthError && error.code === "NotAuthorizedException";
    if (isRefused) await currentToken(cognito.identity, { now: serverNow(), force: true });
    throw error;
  }
}

/**
 * Signs out on this device, even if the provider can't be reached.
 * @throws {AuthError} if the refresh token could not be revoked
 */
export async function signOut(): Promise<void> {
  const { identity } = await fetchConfig();
  const refreshToken = loadSession(identity.clientId)?.refreshToken;
  clearSession(identity);
  if (!refreshToken) return;
  if (!(await revoke(identity, refreshToken))) throw new AuthError("Unknown", DEFAULT_MESSAGES.signOut);
}

async function revoke(identity: PublicConfig["identity"], refreshToken: string): Promise<boolean> {
  const body = { Token: refreshToken, ClientId: identity.clientId };
  return (await cognitoRequest(identity, "RevokeToken", body)).ok;
}

/**
 * Ends every session of the account, this one included.
 * @param leave leaves the screens that need a session, before this page has none
 */
export async function signOutEverywhere(leave: () => Promise<void>): Promise<void> {
  const cognito = await loadCognitoClient();
  const user = await signedInUser(cognito);
  await callCognito("signOut", (done) => user.globalSignOut({ onSuccess: () => done(), onFailure: done }));
  await leave();
  clearSession(cognito.identity);
}

/** Deletes the account at the identity provider, and with it every session. */
export async function deleteCognitoUser(): Promise<void> {
  const cognito = await loadCognitoClient();
  const user = await signedInUser(cognito);
  await callCognito("deleteAccount", (done) => user.deleteUser(done));
  clearSession(cognito.identity);
}

async function loadCognitoClient(): Promise<CognitoClient> {
  try {
    const [{ identity }, library] = await Promise.all([fetchConfig(), import("amazon-cognito-identity-js")]);
    const { endpoint, poolId, clientId } = identity;
    const pool: Library.CognitoUserPool & { client?: Transport } = new library.CognitoUserPool({
      UserPoolId: poolId,
      ClientId: clientId,
      endpoint: new URL(endpoint, location.origin).href,
      Storage: tokenStorage,
    });
    if (pool.client) refuseUnread(pool.client);
    return { library, pool, identity };
  } catch {
    throw localAuthError("NetworkError");
  }
}

/** The library makes its calls with it; its types leave it out. */
type Transport = {
  request(operation: string, body: object, done: (error: unknown, answer?: object) => void): void;
};

/** The steps of a sign-in, whose answer is never empty. */
const ANSWERED: ReadonlySet<string> = new Set(["InitiateAuth", "RespondToAuthChallenge"]);

/**
 * Calls a sign-in whose answer was cut off a network error. The library takes such an answer for an empty one, and fails as it
 * does where the provider refuses without a word.
 */
function refuseUnread(transport: Transport): void {
  const request = transport.request.bind(transport);
  transport.request = (operation, body, done) =>
    request(operation, body, (error, answer = {}) => {
      const isUnread = !error && ANSWERED.has(operation) && Object.keys(answer).length === 0;
      done(isUnread ? localAuthError("NetworkError") : error, answer);
    });
}

function cognitoUser({ library, pool }: CognitoClient, phone: string): Library.CognitoUser {
  return new library.CognitoUser({ Username: phone, Pool: pool, Storage: tokenStorage });
}

/** The user with a valid session, renewed if necessary by the page's own renewal, which concurrent callers share. */
async function signedInUser({ pool, identity }: CognitoClient): Promise<Library.CognitoUser> {
  if (!(await currentToken(identity, { now: serverNow() }))) throw localAuthError("NotAuthenticated");
  const user = pool.getCurrentUser();
  if (!user) throw localAuthError("UsernameMissing");
  await callCognito("renew", (done) => user.getSession((error: Error | null) => done(error ?? undefined)));
  return user;
}

/** The library waits forever; each of its steps is two calls at most. */
const STEP_LIMIT_MS: DurationMs = 30_000;

/** Wraps a call of the library in a promise. A call that a network drops fails in time, and is ignored if it ends later. */
function callCognito(step: AuthOperation, start: (done: AuthCallback) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(localAuthError("NetworkError")), STEP_LIMIT_MS);
    start((error) => {
      clearTimeout(timer);
      if (error) reject(toAuthError(error, DEFAULT_MESSAGES[step]));
      else resolve();
    });
  });
}
