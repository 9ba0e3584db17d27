import { createContext, useContext } from "react";
import type { MeResponse } from "../../../worker/contract/console/operators.ts";

/** The signed-in operator, and the deployment. */
export const OperatorContext = createContext<MeResponse | null>(null);

export function useOperator(): MeResponse {
  const me = useContext(OperatorContext);
  if (!me) throw new Error("no operator is signed in");
  return me;
}
