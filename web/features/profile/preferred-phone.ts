import { showPhone, toE164 } from "../../api/phone-number.ts";
import { m } from "../../messages/messages.js";

const DIGITS_WITH_COUNTRY = 11;

/** What is wrong with a number that may be left out, in words; `undefined` where nothing is. */
export function preferredPhoneFault(typed: string): string | undefined {
  const text = typed.trim();
  if (text === "" || toE164(text)) return undefined;
  if (/[^\d\s()+.-]/.test(text)) return m.profile_phone_digits();
  if (text.startsWith("+") && !text.startsWith("+1")) return m.profile_phone_country();
  const digits = text.replaceAll(/\D/g, "");
  const whole = digits.startsWith("1") ? digits : `1${digits}`;
  return whole.length < DIGITS_WITH_COUNTRY ? m.profile_phone_short() : m.profile_phone_long();
}

/** As it is stored; null where it was left out. */
export function readPreferredPhone(typed: string): string | null {
  return typed.trim() === "" ? null : toE164(typed);
}

/** As it stands in the field. */
export function showPreferredPhone(number: string | null): string {
  return number === null ? "" : showPhone(number);
}
