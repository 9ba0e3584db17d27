import type { FieldIssue } from "../../../worker/contract/error-response.ts";
import { RequestError } from "../../api/client/request-error.ts";
import { m } from "../../messages/messages.js";

const FIELD_MESSAGES = {
  required: m.field_required,
  too_small: m.field_too_small,
  too_large: m.field_too_large,
  too_long: m.field_too_long,
  invalid: m.field_invalid,
  none_selected: m.field_none_selected,
} satisfies Record<FieldIssue, () => string>;

/** The server's messages about single fields, by their path. */
export function fieldMessages(error: unknown): Record<string, string> {
  if (!(error instanceof RequestError)) return {};
  return Object.fromEntries(
    Object.entries(error.fields).map(([path, issue]) => [path, FIELD_MESSAGES[issue]()]),
  );
}
