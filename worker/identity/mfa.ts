import type { MfaFactor } from "../../db/identity-schema.ts";
import { attemptSubjects, changePoolUser, spendTotpStep, type PoolUser } from "../../db/queries/identity.ts";
import { takeAttempt, clearAttempts } from "../../db/queries/identity-limits.ts";
import type { DriverId } from "../../durable/engine/units.ts";
import type { KeyBytes } from "../../durable/keys.ts";
import { requireBearer } from "./bearer.ts";
import { fromBase64, toBase64 } from "./bytes.ts";
import type { Pool } from "./context.ts";
import { faults } from "./faults.ts";
import type { Input } from "./requests.ts";
import { findStep, toBase32 } from "./totp.ts";

const SECRET_BYTES = 20;

/** A software token's secret; null where there is none. */
export async function openSecret(pool: Pool, id: DriverId, sealed: string | null): Promise<KeyBytes | null> {
  if (sealed === null) return null;
  const plain = await pool.keys.open("verifier", { sealed, context: `totp ${id}` });
  return plain === null ? null : fromBase64(plain);
}

/** The protocol also lets a sign-in's session call these, where a pool demands a second factor: this one never does. */
async function requireUser(pool: Pool, accessToken: string | null | undefined): Promise<PoolUser> {
  if (!accessToken) throw faults.invalidSession();
  return (await requireBearer(pool, accessToken)).user;
}

/** AssociateSoftwareToken: a new secret, which counts only when a first code has proven it. */
export async function associateSoftwareToken(
  input: Input<"AssociateSoftwareToken">,
  pool: Pool,
): Promise<{ SecretCode: string }> {
  const user = await requireUser(pool, input.AccessToken);
  const secret = pool.randomBytes(SECRET_BYTES);
  const plain = toBase64(secret);
  const totpPending = await pool.keys.seal("verifier", { plain, context: `totp ${user.id}` });
  await changePoolUser(pool.db, user.id, { totpPending });
  return { SecretCode: toBase32(secret) };
}

/** VerifySoftwareToken: the first code makes the new secret the account's. It does not switch the factor on. */
export async function verifySoftwareToken(
  input: Input<"VerifySoftwareToken">,
  pool: Pool,
): Promise<{ Status: "SUCCESS" }> {
  const user = await requireUser(pool, input.AccessToken);
  const secret = await openSecret(pool, user.id, user.totpPending);
  if (!secret) throw faults.noSoftwareToken();
  const subject = attemptSubjects(user.id).softwareToken;
  const now = pool.now();
  if (!(await takeAttempt(pool.db, { subject, now, rule: pool.limits.lock })))
    throw faults.wrongSoftwareToken();
  const step = await findStep(secret, { code: input.UserCode, now });
  if (step === null || !(await spendTotpStep(pool.db, user.id, step))) throw faults.wrongSoftwareToken();
  await clearAttempts(pool.db, subject);
  await changePoolUser(pool.db, user.id, {
    totpSecret: user.totpPending,
    totpPending: null,
    totpName: input.FriendlyDeviceName || null,
  });
  return { Status: "SUCCESS" };
}

/** SetUserMFAPreference. What is not named stays as it is; a preferred factor is one that is on. */
export async function setUserMfaPreference(
  input: Input<"SetUserMFAPreference">,
  pool: Pool,
): Promise<object> {
  const { user } = await requireBearer(pool, input.AccessToken);
  const { SMSMfaSettings: sms, SoftwareTokenMfaSettings: token } = input;
  if (sms?.Enabled && !user.phoneVerified)
    throw faults.invalidParameter("User does not have a verified phone number");
  if (token?.Enabled && user.totpSecret === null) {
    throw faults.invalidParameter("User has not verified software token mfa");
  }
  if (sms?.PreferredMfa && token?.PreferredMfa) {
    throw faults.invalidParameter("Only one factor can be preferred.");
  }
  const smsMfa = sms ? (sms.Enabled ?? false) : user.smsMfa;
  const softwareTokenMfa = token ? (token.Enabled ?? false) : user.softwareTokenMfa;
  if ((sms?.PreferredMfa && !smsMfa) || (token?.PreferredMfa && !softwareTokenMfa)) {
    throw faults.invalidParameter("A preferred factor must be enabled.");
  }
  const preferredMfa = choosePreferred(user, [
    { factor: "SMS_MFA", isOn: smsMfa, isPreferred: sms?.PreferredMfa },
    { factor: "SOFTWARE_TOKEN_MFA", isOn: softwareTokenMfa, isPreferred: token?.PreferredMfa },
  ]);
  await changePoolUser(pool.db, user.id, { smsMfa, softwareTokenMfa, preferredMfa });
  return {};
}

/** The factor that is asked to be preferred; else the one that was, unless it is off now or asked not to be. */
function choosePreferred(
  user: PoolUser,
  wishes: readonly { factor: MfaFactor; isOn: boolean; isPreferred: boolean | null | undefined }[],
): MfaFactor | null {
  const asked = wishes.find(({ isPreferred }) => isPreferred);
  const kept = wishes.find(
    ({ factor, isOn, isPreferred }) => isOn && isPreferred !== false && factor === user.preferredMfa,
  );
  return (asked ?? kept)?.factor ?? null;
}
