/** The facts that a stranger knows of a driver, and so tries first. */
export type PasswordContext = {
  productName: string;
  /** E.164. */
  phoneNumber: string;
  /** Null where it isn't known, or its owner isn't proved yet. */
  name: string | null;
  emails: readonly string[];
};

/** A shorter word is in too many passwords by chance. */
const MIN_WORD_LENGTH = 4;
/** The letters that a password has beside such words. */
const MIN_REST_LENGTH = 6;
/** So much of a number's end is known as the number. */
const LOCAL_DIGITS = 7;
const NATIONAL_DIGITS = 10;

/** Whether little is left of a password without the product's name and its owner's name, number and e-mail addresses. */
export function isMadeOfContext(password: string, context: PasswordContext): boolean {
  let rest = password.toLowerCase();
  for (const word of contextWords(context)) rest = rest.replaceAll(word, "");
  return rest.length < MIN_REST_LENGTH;
}

/** The longest first, so that a part of one doesn't hide it. */
function contextWords({ productName, phoneNumber, name, emails }: PasswordContext): string[] {
  const digits = phoneNumber.replace(/\D/g, "");
  const words = [
    ...namesIn(productName),
    ...namesIn(name ?? ""),
    digits,
    digits.slice(-NATIONAL_DIGITS),
    digits.slice(-LOCAL_DIGITS),
    ...emails.flatMap((email) => [email, ...email.split("@"), ...namesIn(email)]),
  ].map((word) => word.toLowerCase());
  return [...new Set(words)]
    .filter((word) => word.length >= MIN_WORD_LENGTH)
    .toSorted((one, other) => other.length - one.length);
}

/** A name with and without what stands between its words, also without accents, and each of the words. */
function namesIn(name: string): string[] {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "");
  return [name, plain].flatMap((form) => {
    const words = form.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    return [form, words.join(""), ...words];
  });
}
