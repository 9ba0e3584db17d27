/** How much of a number everybody in the console sees. */
export const END_DIGITS = 4;

/** A number with all but its end hidden. */
export function maskButEnd(number: string): string {
  return `••• ${number.slice(-END_DIGITS)}`;
}

/** A search term: a whole number, the end of one, an e-mail address, or words of a name. */
export type DriverSearch =
  | { kind: "number"; number: string }
  | { kind: "end"; digits: string }
  | { kind: "email"; prefix: string }
  | { kind: "name"; words: string };

const PHONE_LIKE = /^[+\d\s().\-\u00A0]+$/;

/** Reads what was typed. Ten digits, eleven with a 1 before them and any number with its country are whole numbers. */
export function parseDriverSearch(typed: string): DriverSearch | null {
  const text = typed.trim();
  if (text.includes("@")) return { kind: "email", prefix: text };
  if (!PHONE_LIKE.test(text)) return { kind: "name", words: text };
  const digits = text.replaceAll(/\D/g, "");
  if (text.startsWith("+")) return digits.length >= 7 ? { kind: "number", number: `+${digits}` } : null;
  if (digits.length === 10) return { kind: "number", number: `+1${digits}` };
  if (digits.length === 11 && digits.startsWith("1")) return { kind: "number", number: `+${digits}` };
  // Part of a number: its last four digits find it, the others before them narrow it down.
  return digits.length >= END_DIGITS && digits.length < 10 ? { kind: "end", digits } : null;
}
