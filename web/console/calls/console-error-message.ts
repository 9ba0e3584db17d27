import { errorCodeOf } from "../../api/client/request-error.ts";
import { errorMessage } from "../../features/language/error-messages.ts";
import { formatMoney } from "../../features/language/format.ts";
import type { MeResponse } from "../../../worker/contract/console/operators.ts";
import { m } from "../messages/messages.js";

/** What a failed call says to an operator; the drivers' words for it where they fit. */
export function consoleErrorMessage(error: unknown, me: MeResponse | null): string {
  const code = errorCodeOf(error);
  switch (code) {
    case "unauthenticated":
      return m.signed_out();
    case "forbidden":
      return me === null
        ? errorMessage(error)
        : m.refused({ limit: formatMoney(me.supportLimitCents, me.currency) });
    case "conflict":
      return m.conflict();
    case "not_found":
      return m.not_known();
    default:
      return errorMessage(error);
  }
}
