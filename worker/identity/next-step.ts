import type { MfaFactor } from "../../db/identity-schema.ts";
import { findPoolDevice, type PoolDevice } from "../../db/queries/identity-devices.ts";
import type { PoolUser } from "../../db/queries/identity.ts";
import { provideCode } from "./codes.ts";
import type { Pool } from "./context.ts";
import { offerDevice } from "./device-offers.ts";
import { factorsOf } from "./mfa-factors.ts";
import { maskPhone } from "./phone.ts";
import type { ClientMetadata } from "./requests.ts";
import { makeTicket, sealTicket, type Progress } from "./tickets.ts";
import { startSession, type AuthenticationResult } from "./tokens.ts";

/** What a step of a sign-in answers: another challenge, or the tokens. */
export type SignInAnswer =
  | { ChallengeName: string; ChallengeParameters: Record<string, string>; Session?: string }
  | { AuthenticationResult: AuthenticationResult; ChallengeParameters: Record<string, never> };

/**
 * Goes on after a step that was passed. In this order: a new password where one must be set, the code of the custom
 * flow, the device, the second factor, the tokens. A remembered device stands for the second factor; one that is not
 * remembered is not asked where a second factor is.
 */
export async function nextStep(
  pool: Pool,
  user: PoolUser,
  { progress, metadata }: { progress: Progress; metadata: ClientMetadata },
): Promise<SignInAnswer> {
  const { passed } = progress;
  if (user.status === "FORCE_CHANGE_PASSWORD") {
    return putChallenge(pool, "NEW_PASSWORD_REQUIRED", progress, describeUser(user));
  }
  if (progress.isCustom && !passed.includes("custom")) {
    return putCustomChallenge(pool, user, { progress, metadata });
  }
  const device = await confirmedDevice(pool, user, progress.deviceKey);
  const factors = passed.includes("mfa") ? [] : openFactors(user, progress);
  const isExcused = device?.remembered === true;
  if (
    device &&
    !passed.includes("device") &&
    !passed.includes("mfa") &&
    (isExcused || factors.length === 0)
  ) {
    return putChallenge(pool, "DEVICE_SRP_AUTH", progress, {});
  }
  if (factors.length > 0 && !(passed.includes("device") && isExcused)) {
    return putMfaChallenge(pool, user, { progress, metadata, factors });
  }
  const proven = device && passed.includes("device") ? device.deviceKey : null;
  const tokens = await startSession(pool, user, proven);
  const offered = device ? null : await offerDevice(pool, user);
  return {
    AuthenticationResult: { ...tokens, ...(offered ? { NewDeviceMetadata: offered } : {}) },
    ChallengeParameters: {},
  };
}

async function confirmedDevice(
  pool: Pool,
  user: PoolUser,
  deviceKey: string | null,
): Promise<PoolDevice | null> {
  if (deviceKey === null) return null;
  const device = await findPoolDevice(pool.db, { userId: user.id, deviceKey });
  return device && device.password !== null ? device : null;
}

/** The factors that are still worth asking for: a code by text is not asked for twice. */
function openFactors(user: PoolUser, { passed }: Progress): MfaFactor[] {
  return factorsOf(user).filter((factor) => !(factor === "SMS_MFA" && passed.includes("custom")));
}

/** Puts a challenge; its session is good for one right answer. */
export async function putChallenge(
  pool: Pool,
  name: string,
  progress: Progress,
  parameters: Record<string, string>,
): Promise<SignInAnswer> {
  const Session = await sealTicket(pool, makeTicket(pool, name, progress));
  return { ChallengeName: name, ChallengeParameters: parameters, Session };
}

/** Asks for the code of the custom flow. @param user null for an account that doesn't exist: no text goes out */
export async function putCustomChallenge(
  pool: Pool,
  user: PoolUser | null,
  { progress, metadata, username }: { progress: Progress; metadata: ClientMetadata; username?: string },
): Promise<SignInAnswer> {
  const message = user && { user, to: user.phoneNumber, metadata };
  await provideCode(pool, { userId: progress.sub, purpose: "sign_in" }, message);
  return putChallenge(pool, "CUSTOM_CHALLENGE", progress, {
    USERNAME: progress.sub,
    CODE_DELIVERY_DELIVERY_MEDIUM: "SMS",
    CODE_DELIVERY_DESTINATION: maskPhone(user?.phoneNumber ?? username ?? ""),
  });
}

async function putMfaChallenge(
  pool: Pool,
  user: PoolUser,
  { progress, metadata, factors }: { progress: Progress; metadata: ClientMetadata; factors: MfaFactor[] },
): Promise<SignInAnswer> {
  const preferred = factors.find((factor) => factor === user.preferredMfa);
  const factor = preferred ?? (factors.length === 1 ? factors[0] : undefined);
  if (factor) return putFactorChallenge(pool, user, { progress, metadata, factor });
  return putChallenge(pool, "SELECT_MFA_TYPE", progress, {
    USER_ID_FOR_SRP: user.id,
    MFAS_CAN_CHOOSE: JSON.stringify(factors),
  });
}

/** Asks for one factor; for `SMS_MFA` a code goes out. */
export async function putFactorChallenge(
  pool: Pool,
  user: PoolUser,
  { progress, metadata, factor }: { progress: Progress; metadata: ClientMetadata; factor: MfaFactor },
): Promise<SignInAnswer> {
  if (factor === "SOFTWARE_TOKEN_MFA") {
    return putChallenge(pool, factor, progress, {
      USER_ID_FOR_SRP: user.id,
      ...(user.totpName === null ? {} : { FRIENDLY_DEVICE_NAME: user.totpName }),
    });
  }
  await provideCode(pool, { userId: user.id, purpose: "sign_in" }, { user, to: user.phoneNumber, metadata });
  return putChallenge(pool, factor, progress, {
    CODE_DELIVERY_DELIVERY_MEDIUM: "SMS",
    CODE_DELIVERY_DESTINATION: maskPhone(user.phoneNumber),
    USER_ID_FOR_SRP: user.id,
  });
}

/** Clients parse both lists as JSON. */
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
