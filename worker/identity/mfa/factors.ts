import type { MfaFactor } from "../../../db/identity-schema.ts";
import type { PoolUser } from "../../../db/queries/identity.ts";

/** The second factors that the account has switched on. */
export function enabledFactors(user: PoolUser): MfaFactor[] {
  const factors: MfaFactor[] = [];
  if (user.smsMfa && user.phoneVerified) factors.push("SMS_MFA");
  if (user.softwareTokenMfa && user.totpSecret !== null) factors.push("SOFTWARE_TOKEN_MFA");
  return factors;
}
