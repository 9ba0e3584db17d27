import { toE164 } from "../../api/phone-number.ts";
import { m } from "../../messages/messages.js";
import { isStrongPassword } from "./password-rules.ts";

const SHORTEST_NAME = 2;
const CODE_DIGITS = 6;

/** What is wrong with a value, in words; `undefined` where nothing is. */
export function phoneFault(phone: string): string | undefined {
  if (phone.trim() === "") return m.account_phone_required();
  return toE164(phone) ? undefined : m.account_phone_invalid();
}

export function nameFault(name: string): string | undefined {
  if (name.trim() === "") return m.account_name_required();
  return name.trim().length < SHORTEST_NAME ? m.account_name_short() : undefined;
}

export function newPasswordFault(password: string): string | undefined {
  if (password === "") return m.account_password_required();
  return isStrongPassword(password) ? undefined : m.account_password_weak();
}

export function repeatFault(password: string, repeated: string): string | undefined {
  return password === repeated && repeated !== "" ? undefined : m.account_password_mismatch();
}

export function codeFault(code: string): string | undefined {
  if (code === "") return m.code_required();
  return code.length === CODE_DIGITS ? undefined : m.code_six();
}

/** The faults that there are, by the name of their field. */
export function faultsOf<Name extends string>(
  found: Partial<Record<Name, string | undefined>>,
  names: readonly Name[],
): ReadonlyMap<Name, string> {
  const faults = new Map<Name, string>();
  for (const name of names) {
    const fault = found[name];
    if (fault !== undefined) faults.set(name, fault);
  }
  return faults;
}
