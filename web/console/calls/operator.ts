import { createContext, useContext } from "react";
import type { MeResponse } from "../../../worker/contract/console/operators.ts";

/** Who is signed in, and what the deployment is like. */
export const OperatorContext = createContext<MeResponse | null>(null);

export function useOperator(): MeResponse {
  const me = useContext(OperatorContext);
  if (!me) throw new Error("no operator is signed in");
  return me;
}
