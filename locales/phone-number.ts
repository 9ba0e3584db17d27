const COUNTRY = "1";
const NATIONAL_DIGITS = 10;

/** Parses a number typed in any format to `+1` and ten digits; null if it isn't one. */
export function toE164(input: string): string | null {
  const text = input.trim();
  if (/[a-z]/i.test(text) || (text.startsWith("+") && !text.startsWith(`+${COUNTRY}`))) return null;
  const national = nationalDigits(text);
  return national.length === NATIONAL_DIGITS ? `+${COUNTRY}${national}` : null;
}

/** +1 (XXX) XXX-XXXX, from ten digits or eleven with a leading 1; anything else is left as it is. */
export function formatPhone(number: string): string {
  const digits = number.replaceAll(/\D/g, "");
  if (digits.length === NATIONAL_DIGITS) return formatNational(digits);
  if (digits.length === NATIONAL_DIGITS + 1 && digits.startsWith(COUNTRY))
    return formatNational(digits.slice(1));
  return number;
}

/**
 * The field's text after an edit. Other countries' numbers stay as typed, so that nothing gets lost unnoticed; deleting a
 * bracket or a dash deletes the digit before it.
 */
export function reformatPhoneInput(
  before: string,
  { text, caret }: { text: string; caret: number },
): { text: string; caret: number } {
  const isDeleting = text.length < before.length;
  let input = text;
  let digitsBefore = countDigits(text.slice(0, caret));
  if (isDeleting && before.length - text.length === 1 && sameDigits(before, text)) {
    const edited = text.slice(0, caret).replace(/\d(?=\D*$)/, "");
    input = edited + text.slice(caret);
    digitsBefore = countDigits(edited);
  }
  const national = nationalDigits(input);
  if (national.length > NATIONAL_DIGITS || isOtherCountry(input)) return { text: input, caret };
  if (national === "") {
    const formatted = !isDeleting && countDigits(input) === 1 ? `+${COUNTRY} ` : "";
    return { text: formatted, caret: formatted.length };
  }
  const formatted = formatNational(national);
  const withCountry = input.replaceAll(/\D/g, "").startsWith(COUNTRY);
  return { text: formatted, caret: caretAfterDigit(formatted, digitsBefore + (withCountry ? 0 : 1)) };
}

/** A complete number with another country code; while it is being typed it looks like a US one. */
function isOtherCountry(text: string): boolean {
  return text.trim().startsWith("+") && !text.trim().startsWith(`+${COUNTRY}`) && countDigits(text) >= 10;
}

/** No area code begins with 1, so a leading 1 is always the country's. */
function nationalDigits(text: string): string {
  return text.replaceAll(/\D/g, "").replace(/^1/, "");
}

function formatNational(national: string): string {
  const [area, exchange, line] = [national.slice(0, 3), national.slice(3, 6), national.slice(6)];
  if (line) return `+${COUNTRY} (${area}) ${exchange}-${line}`;
  return exchange ? `+${COUNTRY} (${area}) ${exchange}` : `+${COUNTRY} (${area}`;
}

/** The position right after the nth digit. */
function caretAfterDigit(text: string, count: number): number {
  let seen = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (/\d/.test(text.charAt(index))) seen += 1;
    if (seen >= count) return index + 1;
  }
  return text.length;
}

function countDigits(text: string): number {
  return text.replaceAll(/\D/g, "").length;
}

function sameDigits(one: string, other: string): boolean {
  return one.replaceAll(/\D/g, "") === other.replaceAll(/\D/g, "");
}
