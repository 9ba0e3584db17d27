/** At least this many characters; the page's own rules say the same. */
export const MIN_PASSWORD_LENGTH = 8;

const SYMBOLS = /[\^$*.[\]{}()?"!@#%&/\\,><':;|_~`=+-]|(?<=\S) (?=\S)/;

/** What the password lacks, in the words of the protocol; null where it is good. */
export function findPasswordIssue(password: string): string | null {
  if (password.length < MIN_PASSWORD_LENGTH) return "Password not long enough";
  if (!/[A-Z]/.test(password)) return "Password must have uppercase characters";
  if (!/[a-z]/.test(password)) return "Password must have lowercase characters";
  if (!/[0-9]/.test(password)) return "Password must have numeric characters";
  if (!SYMBOLS.test(password)) return "Password must have symbol characters";
  return null;
}
