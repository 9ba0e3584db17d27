import { toE164 } from "../../../locales/phone-number.ts";
import { m } from "../../messages/messages.js";

const MIN_NAME_LENGTH = 2;
/** A code has six digits, and more while somebody guesses at the account. */
const CODE = /^\d{6}(\d{4})?$/;

/** The user pool reads no other, and says so in the words of any parameter. */
const PASSWORD_FORM = /^(?=.{1,256}$)\S.*\S$/;

/** The fault of a value, for the driver to read; `undefined` if there is none. So with all that follow. */
export function validatePhone(phone: string): string | undefined {
  if (phone.trim() === "") return m.account_phone_required();
  return toE164(phone) ? undefined : m.account_phone_invalid();
}

export function validateName(name: string): string | undefined {
  if (name.trim() === "") return m.account_name_required();
  return name.trim().length < MIN_NAME_LENGTH ? m.account_name_short() : undefined;
}

/** Of a password that exists already: anything typed may be it. */
export function validatePassword(password: string): string | undefined {
  return password === "" ? m.account_password_required() : undefined;
}

export function validateNewPassword(password: string): string | undefined {
  if (password === "") return validatePassword(password);
  if (!isStrongPassword(password)) return m.account_password_weak();
  return PASSWORD_FORM.test(password) ? undefined : m.account_password_form();
}

/** Two that are empty don't differ: both are missing. */
export function validateRepeatedPassword(repeated: string, password: string): string | undefined {
  return repeated === password ? validatePassword(repeated) : m.account_password_mismatch();
}

export function validateCode(code: string): string | undefined {
  if (code === "") return m.code_required();
  return CODE.test(code) ? undefined : m.code_six();
}

/** The requirements of a password, in the order in which they are shown. The user pool enforces the same. */
export const PASSWORD_RULES = {
  length: (password: string) => password.length >= 8,
  uppercase: (password: string) => /[A-Z]/.test(password),
  lowercase: (password: string) => /[a-z]/.test(password),
  number: (password: string) => /[0-9]/.test(password),
  special: (password: string) => /[\^$*.[\]{}()?"!@#%&/\\,><':;|_~`=+-]|(?<=\S) (?=\S)/.test(password),
} as const;

export type PasswordRule = keyof typeof PASSWORD_RULES;

export function isStrongPassword(password: string): boolean {
  return Object.values(PASSWORD_RULES).every((isMet) => isMet(password));
}
