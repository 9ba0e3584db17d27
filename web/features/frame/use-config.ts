import { useQuery } from "@tanstack/react-query";
import type { PublicConfig } from "../../../worker/contract/status.ts";
import { configQuery } from "../../api/queries.ts";

/** Stands until the deployment has told its own name. */
const UNTIL_KNOWN = "Jornada";

export function useProductName(): string {
  return useQuery(configQuery).data?.productName ?? UNTIL_KNOWN;
}

/** How to reach people; null until known. */
export function useSupport(): PublicConfig["support"] | null {
  return useQuery(configQuery).data?.support ?? null;
}
