import { toE164 } from "../../../locales/phone-number.ts";
import { m } from "../../messages/messages.js";

/** The fault of a friend's number; `undefined` if there is none. */
export function validateFriendPhone(phone: string): string | undefined {
  if (phone.trim() === "") return m.invite_phone_required();
  return toE164(phone) ? undefined : m.invite_phone_digits();
}
