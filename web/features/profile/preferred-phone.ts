import { formatPhone, toE164 } from "../../../locales/phone-number.ts";
import { m } from "../../messages/messages.js";

const DIGITS_WITH_COUNTRY = 11;

/** The message for an invalid optional number; `undefined` where it is valid. The field puts +1 before what is typed. */
export function validatePreferredPhone(input: string): string | undefined {
  const text = input.trim();
  if (text === "") return undefined;
  if (/[^\d\s()+.-]/.test(text)) return m.profile_phone_digits();
  if (!text.startsWith("+1")) return m.profile_phone_country();
  if (toE164(text)) return undefined;
  const { length } = text.replaceAll(/\D/g, "");
  return length < DIGITS_WITH_COUNTRY ? m.profile_phone_short() : m.profile_phone_long();
}

/** The stored form; null where it was left empty. */
export function parsePreferredPhone(input: string): string | null {
  return input.trim() === "" ? null : toE164(input);
}

/** The value of the field. */
export function formatPreferredPhone(number: string | null): string {
  return number === null ? "" : formatPhone(number);
}
