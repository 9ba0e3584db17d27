import { toE164 } from "../../../locales/phone-number.ts";
import { RequestError } from "../../api/client/request-error.ts";
import { m } from "../../messages/messages.js";
import { errorText } from "../language/error-messages.ts";
import { fieldMessages } from "../language/field-messages.ts";

/** Said at the number, since they are about it. */
const NUMBER_ERRORS: readonly string[] = ["own_number", "already_registered", "already_invited"];

/** The messages at the fields of a form that invites a friend by `phoneNumber`. */
export function inviteFieldMessages(error: unknown): Record<string, string> {
  const isOfNumber = error instanceof RequestError && NUMBER_ERRORS.includes(error.code);
  return isOfNumber ? { phoneNumber: errorText(error) } : fieldMessages(error);
}

/** The fault of a friend's number; `undefined` if there is none. */
export function validateFriendPhone(phone: string): string | undefined {
  if (phone.trim() === "") return m.invite_phone_required();
  return toE164(phone) ? undefined : m.invite_phone_digits();
}
