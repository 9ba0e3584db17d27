import { formatPhone, toE164 } from "../../api/phone-number.ts";
import { m } from "../../messages/messages.js";

const DIGITS_WITH_COUNTRY = 11;

/** What is wrong with a number that may be left out, in words; `undefined` where nothing is. */
export function validatePreferredPhone(input: string): string | undefined {
  const text = input.trim();
  if (text === "" || toE164(text)) return undefined;
  if (/[^\d\s()+.-]/.test(text)) return m.profile_phone_digits();
  if (text.startsWith("+") && !text.startsWith("+1")) return m.profile_phone_country();
  const digits = text.replaceAll(/\D/g, "");
  const fullDigits = digits.startsWith("1") ? digits : `1${digits}`;
  return fullDigits.length < DIGITS_WITH_COUNTRY ? m.profile_phone_short() : m.profile_phone_long();
}

/** As it is stored; null where it was left out. */
export function parsePreferredPhone(input: string): string | null {
  return input.trim() === "" ? null : toE164(input);
}

/** As it stands in the field. */
export function formatPreferredPhone(number: string | null): string {
  return number === null ? "" : formatPhone(number);
}
