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

/** A password that is asked for and not made: whatever was typed may be it. */
export function passwordFault(password: string): string | undefined {
  return password === "" ? m.account_password_required() : undefined;
}

/** Of a new password and the same once more. */
export function newPasswordFaults({
  password,
  repeated,
}: {
  password: string;
  repeated: string;
}): Record<"password" | "repeated", string | undefined> {
  const isWeak = password !== "" && !isStrongPassword(password);
  const isSame = password === repeated && repeated !== "";
  return {
    password: isWeak ? m.account_password_weak() : passwordFault(password),
    repeated: isSame ? undefined : m.account_password_mismatch(),
  };
}

export function codeFault(code: string): string | undefined {
  if (code === "") return m.code_required();
  return code.length === CODE_DIGITS ? undefined : m.code_six();
}
