import type { MfaFactor } from "../../../db/schema/identity.ts";
import {
  lockSubjects,
  updatePoolUser,
  consumeTotpStep,
  type PoolUser,
} from "../../../db/queries/identity/pool-users.ts";
import { changeFactors } from "../../../db/queries/identity/factors.ts";
import { consumeTry, clearTries } from "../../../db/queries/identity/locks.ts";
import type { DriverId } from "../../../db/shapes/units.ts";
import { toBase64 } from "../../../durable/runtime/base64.ts";
import type { KeyBytes } from "../../../durable/runtime/keys.ts";
import { decodeBase64 } from "../bytes.ts";
import { type PoolContext, noteEvent } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import type { OperationInput } from "../protocol/requests.ts";
import { requireFreshBearer } from "../tokens/bearer.ts";
import { announceChange } from "../tokens/sessions.ts";
import { findTotpStep, toBase32 } from "./totp.ts";

const SECRET_BYTES = 20;

/** The second factors that the account has enabled, if the pool has any. */
export function enabledFactors({ settings }: PoolContext, user: PoolUser): MfaFactor[] {
  if (!settings.secondFactors) return [];
  const factors: MfaFactor[] = [];
  if (user.smsMfa && user.phoneVerified) factors.push("SMS_MFA");
  if (user.softwareTokenMfa && user.totpSecret !== null) factors.push("SOFTWARE_TOKEN_MFA");
  return factors;
}

/** Binds a sealed secret to its account: it can't be opened for another one. */
export function totpContext(id: DriverId): string {
  return `totp ${id}`;
}

/** Decrypts an authenticator secret; null if there is none, or if the master key that sealed it was removed. */
export async function openTotpSecret(
  pool: PoolContext,
  id: DriverId,
  sealed: string | null,
): Promise<KeyBytes | null> {
  if (sealed === null) return null;
  const plain = await pool.keys.open("verifier", { sealed, context: totpContext(id) });
  return plain === null ? null : decodeBase64(plain);
}

/** Cognito also accepts a `Session` here, for pools that require a second factor. This pool never requires one. */
async function requireUser(pool: PoolContext, accessToken: string | null | undefined): Promise<PoolUser> {
  if (!accessToken) throw cognitoErrors.invalidSession();
  return (await requireFreshBearer(pool, accessToken)).user;
}

function requireSoftwareTokens({ settings }: PoolContext): void {
  if (!settings.secondFactors) throw cognitoErrors.softwareTokensOff();
}

/** AssociateSoftwareToken: creates a secret. It stays pending until VerifySoftwareToken confirms it. */
export async function associateSoftwareToken(
  input: OperationInput<"AssociateSoftwareToken">,
  pool: PoolContext,
): Promise<{ SecretCode: string }> {
  const user = await requireUser(pool, input.AccessToken);
  requireSoftwareTokens(pool);
  const secret = pool.randomBytes(SECRET_BYTES);
  const plain = toBase64(secret);
  const totpPending = await pool.keys.seal("verifier", { plain, context: totpContext(user.id) });
  await updatePoolUser(pool.db, user.id, { totpPending });
  return { SecretCode: toBase32(secret) };
}

/** VerifySoftwareToken: a valid code confirms the pending secret. It does not enable the factor. */
export async function verifySoftwareToken(
  input: OperationInput<"VerifySoftwareToken">,
  pool: PoolContext,
): Promise<{ Status: "SUCCESS" }> {
  const user = await requireUser(pool, input.AccessToken);
  requireSoftwareTokens(pool);
  const secret = await openTotpSecret(pool, user.id, user.totpPending);
  if (!secret) throw cognitoErrors.noSoftwareToken();
  const subject = lockSubjects(user.id).softwareToken;
  const now = pool.now();
  if (!(await consumeTry(pool.db, { subject, now, policy: pool.limits.lock })))
    throw cognitoErrors.wrongSoftwareToken();
  const step = await findTotpStep(secret, { code: input.UserCode, now });
  if (step === null || !(await consumeTotpStep(pool.db, user.id, step)))
    throw cognitoErrors.wrongSoftwareToken();
  await clearTries(pool.db, subject);
  const renewed = {
    totpSecret: user.totpPending,
    totpPending: null,
    totpName: input.FriendlyDeviceName || null,
  };
  if (!(await changeFactors(pool.db, user, renewed, now))) throw cognitoErrors.revokedAccessToken();
  await noteEvent(pool, "factors_changed", user.id);
  await announceChange(pool, user.id);
  return { Status: "SUCCESS" };
}

/** SetUserMFAPreference. Settings that are left out don't change. Only an enabled factor can be preferred. */
export async function setUserMfaPreference(
  input: OperationInput<"SetUserMFAPreference">,
  pool: PoolContext,
): Promise<object> {
  const { user } = await requireFreshBearer(pool, input.AccessToken);
  const { SMSMfaSettings: sms, SoftwareTokenMfaSettings: token } = input;
  if (!pool.settings.secondFactors && sms?.Enabled) throw cognitoErrors.factorOff("SMS_MFA");
  if (!pool.settings.secondFactors && token?.Enabled) throw cognitoErrors.factorOff("SOFTWARE_TOKEN_MFA");
  if (sms?.Enabled && !user.phoneVerified)
    throw cognitoErrors.invalidParameter("User does not have a verified phone number");
  if (token?.Enabled && user.totpSecret === null) {
    throw cognitoErrors.invalidParameter("User has not verified software token mfa");
  }
  if (sms?.PreferredMfa && token?.PreferredMfa) {
    throw cognitoErrors.invalidParameter("Only one factor can be preferred.");
  }
  const smsMfa = sms ? (sms.Enabled ?? false) : user.smsMfa;
  const softwareTokenMfa = token ? (token.Enabled ?? false) : user.softwareTokenMfa;
  if ((sms?.PreferredMfa && !smsMfa) || (token?.PreferredMfa && !softwareTokenMfa)) {
    throw cognitoErrors.invalidParameter("A preferred factor must be enabled.");
  }
  const preferredMfa = choosePreferredFactor(user, [
    { factor: "SMS_MFA", isEnabled: smsMfa, isPreferred: sms?.PreferredMfa },
    { factor: "SOFTWARE_TOKEN_MFA", isEnabled: softwareTokenMfa, isPreferred: token?.PreferredMfa },
  ]);
  const preference = { smsMfa, softwareTokenMfa, preferredMfa };
  const isChanged = smsMfa !== user.smsMfa || softwareTokenMfa !== user.softwareTokenMfa;
  if (!isChanged) {
    await updatePoolUser(pool.db, user.id, preference);
    return {};
  }
  if (!(await changeFactors(pool.db, user, preference, pool.now()))) throw cognitoErrors.revokedAccessToken();
  await noteEvent(pool, "factors_changed", user.id);
  await announceChange(pool, user.id);
  return {};
}

/** The factor that the request prefers; otherwise the current one, unless the request disables or demotes it. */
function choosePreferredFactor(
  user: PoolUser,
  requests: readonly { factor: MfaFactor; isEnabled: boolean; isPreferred: boolean | null | undefined }[],
): MfaFactor | null {
  const requested = requests.find(({ isPreferred }) => isPreferred);
  const current = requests.find(
    ({ factor, isEnabled, isPreferred }) =>
      isEnabled && isPreferred !== false && factor === user.preferredMfa,
  );
  return (requested ?? current)?.factor ?? null;
}
