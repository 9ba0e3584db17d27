import { parsePhoneNumberFromString, type NumberType } from "libphonenumber-js/min";

/** Kinds of numbers that cost their caller extra, or that no phone which gets texts has. */
const NO_PHONES: ReadonlySet<NumberType> = new Set([
  "PREMIUM_RATE",
  "SHARED_COST",
  "TOLL_FREE",
  "PERSONAL_NUMBER",
  "PAGER",
  "UAN",
  "VOICEMAIL",
]);

/**
 * Whether a number may get texts: one that exists, of these countries, and no premium or toll-free one.
 * @param countries two-letter codes, and prefixes as in `+1938` for what the numbering library doesn't know
 */
export function isTextable(number: string, countries: readonly string[]): boolean {
  if (countries.some((country) => country.startsWith("+") && number.startsWith(country))) return true;
  const parsed = parsePhoneNumberFromString(number);
  if (!parsed?.isValid() || parsed.country === undefined) return false;
  return countries.includes(parsed.country) && !NO_PHONES.has(parsed.getType());
}

/** Country and area code: enough to see where an attack goes, and nobody's number. */
export function areaOf(number: string): string {
  return number.slice(0, 5);
}
