import { toE164 } from "../../../locales/phone-number.ts";
import { m } from "../../messages/messages.js";

/** What is wrong with a friend's number; `undefined` where nothing is. */
export function validateFriendPhone(phone: string): string | undefined {
  if (phone.trim() === "") return m.invite_phone_required();
  return toE164(phone) ? undefined : m.invite_phone_digits();
}
