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
