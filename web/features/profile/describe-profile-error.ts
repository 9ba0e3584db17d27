import { toast } from "../../ui/toast.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { m } from "../../messages/messages.js";
import type { SubmitIssue } from "../../ui/form/submit-options.ts";
import { errorMessage } from "../language/error-messages.ts";
import { fieldMessages } from "../language/field-messages.ts";

/** Why a part of the profile could not be saved. */
export function describeProfileError(error: unknown): SubmitIssue {
  // Somebody signed out leaves this screen: a toast is still there where they land.
  if (errorCodeOf(error) === "unauthenticated") toast.error(m.profile_sign_in_again());
  const message = { title: m.profile_failed(), hint: `${errorMessage(error)} ${m.profile_kept()}` };
  return { message, fields: fieldMessages(error) };
}
