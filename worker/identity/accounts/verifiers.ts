import * as z from "zod";
import type { PoolUser } from "../../../db/queries/identity/pool-users.ts";
import type { DriverId } from "../../../db/shapes/units.ts";
import { fromBase64 } from "../../../durable/runtime/base64.ts";
import { isEqual } from "../bytes.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import {
  makeVerifier,
  pad,
  precompute,
  toInteger,
  type PrecomputedVerifier,
  type Verifier,
} from "../protocol/srp.ts";
import { isCommon, type TextFilter } from "./common-password-filter.ts";
import { COMMON_PASSWORDS } from "./common-passwords.ts";

const SALT_BYTES = 16;
const MIN_PASSWORD_LENGTH = 8;
const SYMBOLS = /[\^$*.[\]{}()?"!@#%&/\\,><':;|_~`=+-]|(?<=\S) (?=\S)/;

/** Needs no check: it is read from what only we can seal. */
const hexNumber = z.string().transform((hex) => BigInt(`0x${hex}`));

/** `powers` is missing from passwords that were set before the powers were stored. */
const storedVerifier = z
  .object({
    salt: hexNumber,
    verifier: hexNumber,
    powers: z.tuple([hexNumber, hexNumber, hexNumber]).optional(),
    keepsBrowsers: z.boolean().default(false),
  })
  .transform(({ powers, keepsBrowsers, ...rest }): MarkedVerifier => ({
    ...(powers ? { ...rest, combPowers: [rest.verifier, ...powers] } : precompute(rest)),
    keepsBrowsers,
  }));

/**
 * A verifier as it is stored. `keepsBrowsers`: browsers in which it is proved keep its mark, and no other browser is known to
 * the account; false if it was set before there were marks.
 */
export type MarkedVerifier = PrecomputedVerifier & { keepsBrowsers: boolean };

/** The first rule that a password breaks, in Cognito's wording; null if it breaks none. The page has the same rules. */
export function findPasswordIssue(password: string): string | null {
  if (password.length < MIN_PASSWORD_LENGTH) return "Password not long enough";
  if (!/[A-Z]/.test(password)) return "Password must have uppercase characters";
  if (!/[a-z]/.test(password)) return "Password must have lowercase characters";
  if (!/[0-9]/.test(password)) return "Password must have numeric characters";
  if (!SYMBOLS.test(password)) return "Password must have symbol characters";
  return null;
}

let commonPasswords: TextFilter | null = null;

/** Whether a password is one of the commonest, or one of them in disguise. About one in 400 others counts as one too. */
export function isCommonPassword(password: string): boolean {
  const { base64, hashes } = COMMON_PASSWORDS;
  commonPasswords ??= { bits: fromBase64(base64), hashes };
  return isCommon(commonPasswords, password);
}

/** The owner of a password. */
export type PasswordOwner = Omit<PasswordContext, "productName">;

/** An account as the owner of its password. */
export function ownerOf(
  { phoneNumber, attributes }: Pick<PoolUser, "phoneNumber" | "attributes">,
  platformEmail: string | null = null,
): PasswordOwner {
  const { name = null, email } = attributes;
  return {
    phoneNumber,
    name,
    emails: [email ?? "", platformEmail ?? ""],
  };
}

/**
 * @throws {CognitoError} `InvalidPasswordException` if the password breaks a rule, is a common one, or made of what is
 * known of its owner
 */
export function requireStrongPassword(pool: PoolContext, password: string, owner: PasswordOwner): void {
  const issue = findPasswordIssue(password);
  if (issue) throw cognitoErrors.weakPassword(issue);
  if (isCommonPassword(password)) throw cognitoErrors.commonPassword();
  const { productName = "" } = pool;
  if (isMadeOfContext(password, { ...owner, productName })) throw cognitoErrors.contextPassword();
}

/**
 * Turns a new password into what we store: its salt and verifier, sealed.
 * @throws {CognitoError} `InvalidPasswordException` if the password breaks a rule
 */
export async function sealPassword(
  pool: PoolContext,
  id: DriverId,
  { password, owner }: { password: string; owner: PasswordOwner },
): Promise<string> {
  requireStrongPassword(pool, password, owner);
  const salt = toInteger(pool.randomBytes(SALT_BYTES));
  const verifier = await makeVerifier({ pool: pool.name, user: id, password }, salt);
  return sealVerifier(pool, id, precompute(verifier));
}

/** Encrypts a verifier: it is one hash away from an offline guess at the password. */
export function sealVerifier(
  pool: PoolContext,
  id: DriverId,
  { salt, combPowers }: PrecomputedVerifier,
): Promise<string> {
  const [verifier, ...powers] = combPowers.map((power) => power.toString(16));
  const plain = JSON.stringify({ salt: salt.toString(16), verifier, powers, keepsBrowsers: true });
  return pool.keys.seal("verifier", { plain, context: verifierContext(id) });
}

/** Decrypts a verifier; null if the master key that sealed it was removed. */
export async function openVerifier(
  pool: PoolContext,
  id: DriverId,
  sealed: string,
): Promise<MarkedVerifier | null> {
  const plain = await pool.keys.open("verifier", { sealed, context: verifierContext(id) });
  return plain === null ? null : storedVerifier.parse(JSON.parse(plain));
}

/** Binds a sealed verifier to its account: it can't be opened for another one. */
export function verifierContext(id: DriverId): string {
  return `password ${id}`;
}

/** Whether a password matches a verifier. */
export async function matchesPassword(
  pool: PoolContext,
  { id, password }: { id: DriverId; password: string },
  { salt, verifier }: Verifier,
): Promise<boolean> {
  const computed = await makeVerifier({ pool: pool.name, user: id, password }, salt);
  return isEqual(pad(computed.verifier), pad(verifier));
}

/** The facts that a stranger knows of a driver, and so tries first. */
type PasswordContext = {
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

/** The first letter of a mark. */
const KEEPS_BROWSERS = "k";
const BEFORE_MARKS = "b";

/** All marks are as long, so that no secret block is shorter than another, or than a decoy's. */
const SALT_DIGITS = 32;

/** Tells one password from another that was set later, whichever key seals it. */
export function markOfPassword({
  salt,
  keepsBrowsers,
}: Pick<MarkedVerifier, "salt" | "keepsBrowsers">): string {
  const letter = keepsBrowsers ? KEEPS_BROWSERS : BEFORE_MARKS;
  return `${letter}${salt.toString(16).padStart(SALT_DIGITS, "0")}`;
}

/** The same for a password as it is stored; empty if the master key that sealed it was removed. */
export async function markOfStored(
  pool: PoolContext,
  { id, password }: Pick<PoolUser, "id" | "password">,
): Promise<string> {
  const verifier = await openVerifier(pool, id, password);
  return verifier ? markOfPassword(verifier) : "";
}

/** Whether a mark is of a password that was set before browsers kept marks: which of them it was proved in is unknown. */
export function isBeforeMarks(mark: string): boolean {
  return mark.startsWith(BEFORE_MARKS);
}
