import { createContext, useContext } from "react";
import type { MeResponse } from "../../../worker/contract/console/operators.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { errorMessage } from "../../features/language/error-messages.ts";
import { formatMoney } from "../../features/language/format.ts";
import { m } from "../messages/messages.js";

/** The signed-in operator, and the deployment. */
export const OperatorContext = createContext<MeResponse | null>(null);

export function useOperator(): MeResponse {
  const me = useContext(OperatorContext);
  if (!me) throw new Error("no operator is signed in");
  return me;
}

/** A failed call's message for an operator, null while nobody is known to be one; the drivers' words where they fit. */
export function consoleErrorMessage(error: unknown, me: MeResponse | null): string {
  const code = errorCodeOf(error);
  switch (code) {
    case "unauthenticated":
      return m.signed_out();
    case "forbidden":
      return me === null
        ? m.no_operator()
        : m.refused({ limit: formatMoney(me.supportLimitCents, me.currency) });
    case "conflict":
      return m.conflict();
    case "not_found":
      return m.not_known();
    default:
      return errorMessage(error);
  }
}
