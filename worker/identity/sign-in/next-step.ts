import type { MfaFactor } from "../../../db/schema/identity.ts";
import { consumeProof } from "../../../db/queries/identity/one-time-proofs.ts";
import type { PoolUser } from "../../../db/queries/identity/pool-users.ts";
import { ensureCodeSent } from "../accounts/code-texts.ts";
import { rememberBrowser } from "../accounts/known-browsers.ts";
import { markOfStored } from "../accounts/verifiers.ts";
import { maskPhone } from "../accounts/phone.ts";
import { enabledFactors } from "../mfa/second-factors.ts";
import { type PoolContext, noteEvent } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import type { ClientMetadata, Parameters } from "../protocol/requests.ts";
import { issueSession, type AuthenticationResult, type SessionProofs } from "../tokens/tokens.ts";
import { createChallengeSession, sealChallengeSession, type Progress } from "./challenge-sessions.ts";

/** The result of a sign-in step: another challenge, or tokens. */
export type SignInResponse =
  | { ChallengeName: string; ChallengeParameters: Record<string, string>; Session?: string }
  | { AuthenticationResult: AuthenticationResult; ChallengeParameters: Record<string, never> };

/**
 * Decides what follows a completed step. In this order: a new password if one must be set, the code of the custom flow,
 * the second factor, the tokens.
 */
export async function nextStep(
  pool: PoolContext,
  user: PoolUser,
  { progress, metadata, spent = {} }: { progress: Progress; metadata: ClientMetadata; spent?: SessionProofs },
): Promise<SignInResponse> {
  const { passed } = progress;
  // A passkey is two factors: the device, and the finger or PIN that unlocked it.
  const isWhole = passed.includes("mfa") || passed.includes("passkey");
  const factors = isWhole ? [] : remainingFactors(pool, user, progress);
  const isLast = factors.length === 0 && !(progress.isCustom && !passed.includes("custom"));
  // The text that stood in for the password can't be the second factor as well, and opens no account with passkeys.
  const hasOneFactor = !passed.includes("password") && !isWhole;
  const isRefused = isLast && hasOneFactor && enabledFactors(pool, user).length > 0;
  if (!isLast || isRefused || user.status === "FORCE_CHANGE_PASSWORD") await spend(pool, spent);
  if (user.status === "FORCE_CHANGE_PASSWORD") {
    return issueChallenge(pool, "NEW_PASSWORD_REQUIRED", progress, describeUser(user));
  }
  if (progress.isCustom && !passed.includes("custom")) {
    return issueCodeChallenge(pool, user, { progress, metadata });
  }
  if (isRefused) throw cognitoErrors.wrongPassword();
  if (factors.length > 0) return issueMfaChallenge(pool, user, { progress, metadata, factors });
  const AuthenticationResult = await issueSession(pool, user, {
    ...spent,
    passkeyId: progress.passkeyId,
    needsNoPasskey: hasOneFactor,
    isOfPassword: progress.passwordMark !== undefined,
  });
  rememberBrowser(pool, { sub: user.id, mark: progress.passwordMark ?? (await markOfStored(pool, user)) });
  await noteEvent(pool, "sign_in", user.id);
  return { AuthenticationResult, ChallengeParameters: {} };
}

/** Uses up what a step was proven by, where no session does so. @throws {CognitoError} if somebody did so before */
async function spend(
  pool: PoolContext,
  { proofs = [], refused = cognitoErrors.wrongPassword }: SessionProofs,
): Promise<void> {
  const used = await Promise.all(proofs.map((proof) => consumeProof(pool.db, proof)));
  if (!used.every(Boolean)) throw refused();
}

/**
 * Rejects a sign-in that names a device, since the pool doesn't track devices. The AWS libraries for JavaScript recognize
 * the error by its type and the word "device" in its message, drop the device and retry once.
 * @throws {CognitoError} `ResourceNotFoundException`
 */
export function refuseDevice(parameters: Parameters): void {
  if (parameters["DEVICE_KEY"]) throw cognitoErrors.unknownDevice();
}

/** The second factors that are still open. A sign-in never asks for two texted codes. */
function remainingFactors(pool: PoolContext, user: PoolUser, { passed }: Progress): MfaFactor[] {
  return enabledFactors(pool, user).filter((factor) => !(factor === "SMS_MFA" && passed.includes("custom")));
}

/** Issues a challenge. Its session accepts one correct response. */
export async function issueChallenge(
  pool: PoolContext,
  name: string,
  progress: Progress,
  parameters: Record<string, string>,
): Promise<SignInResponse> {
  const Session = await sealChallengeSession(pool, createChallengeSession(pool, name, progress));
  return { ChallengeName: name, ChallengeParameters: parameters, Session };
}

/** Issues the challenge of the custom flow and texts the code. @param user null for an unknown name: no text is sent */
export async function issueCodeChallenge(
  pool: PoolContext,
  user: PoolUser | null,
  { progress, metadata, username }: { progress: Progress; metadata: ClientMetadata; username?: string },
): Promise<SignInResponse> {
  const message = user && { user, to: user.phoneNumber, metadata };
  await ensureCodeSent(
    pool,
    { userId: progress.sub, purpose: "sign_in" },
    { username: username ?? progress.sub, metadata, message },
  );
  return issueChallenge(pool, "CUSTOM_CHALLENGE", progress, {
    USERNAME: progress.sub,
    CODE_DELIVERY_DELIVERY_MEDIUM: "SMS",
    CODE_DELIVERY_DESTINATION: maskPhone(user?.phoneNumber ?? username ?? ""),
  });
}

async function issueMfaChallenge(
  pool: PoolContext,
  user: PoolUser,
  { progress, metadata, factors }: { progress: Progress; metadata: ClientMetadata; factors: MfaFactor[] },
): Promise<SignInResponse> {
  const preferred = factors.find((factor) => factor === user.preferredMfa);
  const factor = preferred ?? (factors.length === 1 ? factors[0] : undefined);
  if (factor) return issueFactorChallenge(pool, user, { progress, metadata, factor });
  return issueChallenge(pool, "SELECT_MFA_TYPE", progress, {
    USER_ID_FOR_SRP: user.id,
    MFAS_CAN_CHOOSE: JSON.stringify(factors),
  });
}

/** Issues the challenge for a second factor; for `SMS_MFA` texts a code. */
export async function issueFactorChallenge(
  pool: PoolContext,
  user: PoolUser,
  { progress, metadata, factor }: { progress: Progress; metadata: ClientMetadata; factor: MfaFactor },
): Promise<SignInResponse> {
  if (factor === "SOFTWARE_TOKEN_MFA") {
    return issueChallenge(pool, factor, progress, {
      USER_ID_FOR_SRP: user.id,
      ...(user.totpName === null ? {} : { FRIENDLY_DEVICE_NAME: user.totpName }),
    });
  }
  await ensureCodeSent(
    pool,
    { userId: user.id, purpose: "sign_in" },
    { username: user.id, metadata, message: { user, to: user.phoneNumber, metadata } },
  );
  return issueChallenge(pool, factor, progress, {
    CODE_DELIVERY_DELIVERY_MEDIUM: "SMS",
    CODE_DELIVERY_DESTINATION: maskPhone(user.phoneNumber),
    USER_ID_FOR_SRP: user.id,
  });
}

/** The parameters of NEW_PASSWORD_REQUIRED. Clients parse both lists as JSON. */
function describeUser(user: PoolUser): Record<string, string> {
  const { id, phoneNumber, phoneVerified, attributes } = user;
  return {
    USER_ID_FOR_SRP: id,
    requiredAttributes: "[]",
    userAttributes: JSON.stringify({
      ...attributes,
      phone_number: phoneNumber,
      phone_number_verified: String(phoneVerified),
    }),
  };
}
