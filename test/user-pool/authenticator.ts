import { totpCode } from "../../worker/identity/mfa/totp.ts";
import type { Member } from "./member.ts";

/** How the pool requests a factor. */
export const ON = { Enabled: true };
export const PREFERRED = { Enabled: true, PreferredMfa: true };

/** The bytes of a secret in base32. */
export function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = Array.from(secret, (letter) => letters.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (eight) => Number.parseInt(eight, 2));
}

/** Sets up an authenticator. @returns its code for an instant */
export async function setUp(at: Member, FriendlyDeviceName?: string) {
  const { SecretCode } = Object(await at.ask("AssociateSoftwareToken"));
  const secret = bytesOf(SecretCode);
  const codeAt = (now = at.clock.now) => totpCode(secret, Math.floor(now / 30_000));
  const done = await at.ask("VerifySoftwareToken", { UserCode: await codeAt(), FriendlyDeviceName });
  return { done, codeAt, secret };
}

/** Turns factors on and off; null leaves one as it is. */
export const preferFactors = (at: Member, sms: object | null, token: object | null) =>
  at.ask("SetUserMFAPreference", { SMSMfaSettings: sms, SoftwareTokenMfaSettings: token });
