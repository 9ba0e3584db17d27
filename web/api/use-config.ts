import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import type { PublicConfig } from "../../worker/contract/status.ts";
import { configQuery } from "./queries.ts";

/** Used until the deployment's own name is loaded. */
const DEFAULT_PRODUCT_NAME = "Jornada";

export function useProductName(): string {
  return useQuery(configQuery).data?.productName ?? DEFAULT_PRODUCT_NAME;
}

/** For the screens behind the guard, which loads the config. */
export function useConfig(): PublicConfig {
  return useSuspenseQuery(configQuery).data;
}

/** The currency of prices. For the screens behind the guard. */
export function useCurrency(): string {
  return useConfig().currency;
}

/** The support contacts; null until loaded. */
export function useSupport(): PublicConfig["support"] | null {
  return useQuery(configQuery).data?.support ?? null;
}
