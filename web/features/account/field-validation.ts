import { toE164 } from "../../api/phone-number.ts";
import { m } from "../../messages/messages.js";
import { isStrongPassword } from "./password-rules.ts";

const MIN_NAME_LENGTH = 2;
const CODE_LENGTH = 6;

/** What is wrong with a value, in words; `undefined` where nothing is. */
export function validatePhone(phone: string): string | undefined {
  if (phone.trim() === "") return m.account_phone_required();
  return toE164(phone) ? undefined : m.account_phone_invalid();
}

export function validateName(name: string): string | undefined {
  if (name.trim() === "") return m.account_name_required();
  return name.trim().length < MIN_NAME_LENGTH ? m.account_name_short() : undefined;
}

/** A password that is asked for and not made: whatever was typed may be it. */
export function validatePassword(password: string): string | undefined {
  return password === "" ? m.account_password_required() : undefined;
}

/** Of a new password and the same once more. */
export function validateNewPassword({
  password,
  repeated,
}: {
  password: string;
  repeated: string;
}): Record<"password" | "repeated", string | undefined> {
  const isWeak = password !== "" && !isStrongPassword(password);
  const isSame = password === repeated && repeated !== "";
  return {
    password: isWeak ? m.account_password_weak() : validatePassword(password),
    repeated: isSame ? undefined : m.account_password_mismatch(),
  };
}

export function validateCode(code: string): string | undefined {
  if (code === "") return m.code_required();
  return code.length === CODE_LENGTH ? undefined : m.code_six();
}
