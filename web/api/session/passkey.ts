import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/browser";
import * as z from "zod/mini";
import { fetchConfig } from "../client/client.ts";
import { AuthError, localAuthError } from "./auth-error.ts";
import { cognitoRequest, type CognitoConfig } from "./cognito-request.ts";
import { hasPasskeys, notePasskey } from "./passkey-hints.ts";
import { DEFAULT_MESSAGES } from "./provider-error.ts";
import {
  loadSession,
  parseTokenSession,
  parseTokenSubject,
  saveSession,
  sessionEndStore,
} from "./session.ts";

/** The user name by which the pool asks for any passkey. */
const USERNAME = "passkey";

const challenge = z.object({
  Session: z.string(),
  ChallengeParameters: z.object({ WEBAUTHN_OPTIONS: z.string() }),
});
const result = z.object({
  AuthenticationResult: z.object({
    IdToken: z.string(),
    AccessToken: z.string(),
    RefreshToken: z.string(),
  }),
});
const refusal = z.object({ __type: z.string(), message: z.optional(z.string()) });

/** Of the refusal of a challenge that was answered before. The page answers each once: what it got for that was lost. */
const USED = "can only be used once";

/** Whether this device can keep a passkey itself, by finger, face or PIN. */
export async function keepsPasskeys(): Promise<boolean> {
  return hasPasskeys() && PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable();
}

/** Whether the browser offers passkeys where a number is typed. */
export async function suggestsPasskeys(): Promise<boolean> {
  // Older browsers lack it.
  const check: typeof PublicKeyCredential.isConditionalMediationAvailable | undefined = hasPasskeys()
    ? PublicKeyCredential.isConditionalMediationAvailable
    : undefined;
  return check !== undefined && (await PublicKeyCredential.isConditionalMediationAvailable());
}

/** Loaded at the first use; not part of a page's first load. */
const loadLibrary = () => import("@simplewebauthn/browser");

export type PasskeySignInOptions = {
  /** Waits until the driver chooses a passkey where the number is typed. */
  isSuggested?: boolean;
  /** Undoes the recovery by text after which the passkey was removed. */
  undoesRecovery?: boolean;
};

/**
 * Signs in with whichever passkey the driver chooses.
 * @throws {AuthError} `PasskeyCanceled` if they choose none
 */
export async function signInWithPasskey(way: PasskeySignInOptions = {}): Promise<void> {
  const { identity } = await fetchConfig();
  const tokens = await fetchTokens(identity, way);
  keepSession(identity, tokens);
}

/**
 * Signs in once more as the driver who is signed in. The session before it ends.
 * @throws {AuthError} `PasskeyOfAnother` if the passkey opens another account, which stays closed
 */
export async function signInAgainWithPasskey(): Promise<void> {
  const { identity } = await fetchConfig();
  const former = loadSession(identity.clientId);
  if (!former) throw localAuthError("NotAuthenticated");
  const tokens = await fetchTokens(identity, {});
  const isOwn = parseTokenSubject({ idToken: tokens.IdToken }) === former.username;
  if (isOwn) keepSession(identity, tokens);
  // If it can't be ended now, the driver can end it in the list of sessions, or it expires.
  const ended = isOwn ? former.refreshToken : tokens.RefreshToken;
  if (ended)
    await cognitoRequest(identity, "RevokeToken", { Token: ended, ClientId: identity.clientId }).catch(
      () => null,
    );
  if (!isOwn) throw localAuthError("PasskeyOfAnother");
}

/** Ends a wait for a suggested passkey. */
export async function stopWaiting(): Promise<void> {
  (await loadLibrary()).WebAuthnAbortService.cancelCeremony();
}

/** Has the browser make a passkey. @throws {AuthError} `PasskeyCanceled`, or `PasskeyKnown` if this device has one */
export async function createPasskey(options: object): Promise<RegistrationResponseJSON> {
  const { startRegistration } = await loadLibrary();
  // The server made them with the library's own types.
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  const credential = await startRegistration({ optionsJSON }).catch((error: unknown) => {
    throw toPasskeyError(error);
  });
  notePasskey({ isKnown: true, offer: "done" });
  return credential;
}

async function fetchTokens(
  identity: CognitoConfig,
  { isSuggested = false, undoesRecovery = false }: PasskeySignInOptions,
): Promise<z.infer<typeof result>["AuthenticationResult"]> {
  const library = await loadLibrary().catch(() => {
    throw localAuthError("NetworkError");
  });
  const { Session, ChallengeParameters } = await call(identity, "InitiateAuth", challenge, {
    AuthFlow: "CUSTOM_AUTH",
    AuthParameters: { USERNAME },
  });
  const optionsJSON: PublicKeyCredentialRequestOptionsJSON = JSON.parse(ChallengeParameters.WEBAUTHN_OPTIONS);
  const assertion = await library
    .startAuthentication({ optionsJSON, useBrowserAutofill: isSuggested })
    .catch((error: unknown) => {
      throw toPasskeyError(error);
    });
  const { AuthenticationResult } = await call(identity, "RespondToAuthChallenge", result, {
    ChallengeName: "CUSTOM_CHALLENGE",
    Session,
    ChallengeResponses: { USERNAME, ANSWER: JSON.stringify(assertion) },
    ...(undoesRecovery ? { ClientMetadata: { undo_recovery: "true" } } : {}),
  });
  return AuthenticationResult;
}

async function call<Shape extends z.ZodMiniType>(
  identity: CognitoConfig,
  operation: "InitiateAuth" | "RespondToAuthChallenge",
  shape: Shape,
  input: object,
): Promise<z.infer<Shape>> {
  const { body } = await cognitoRequest(identity, operation, { ClientId: identity.clientId, ...input });
  const parsed = z.safeParse(shape, body);
  if (parsed.success) return parsed.data;
  const { data } = z.safeParse(refusal, body);
  if (data?.message?.includes(USED)) throw localAuthError("NetworkError");
  throw new AuthError(data?.__type ?? "Unknown", data?.message ?? DEFAULT_MESSAGES.signIn);
}

function keepSession(identity: CognitoConfig, tokens: z.infer<typeof result>["AuthenticationResult"]): void {
  sessionEndStore.setState(() => null);
  notePasskey({ isKnown: true, offer: "done", session: parseTokenSession({ idToken: tokens.IdToken }) });
  saveSession(identity, tokens);
}

function toPasskeyError(error: unknown): AuthError {
  const name = error instanceof Error ? error.name : "";
  return localAuthError(name === "InvalidStateError" ? "PasskeyKnown" : "PasskeyCanceled");
}

/** Whether a passkey was removed after somebody recovered the account by a text, which it can undo. */
export function isRemovedPasskey(error: unknown): boolean {
  return error instanceof AuthError && error.message.startsWith("The passkey was removed");
}
